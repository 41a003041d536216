// Locality ids, made where the application runs: they spread over shards by their first bits, and tell when they were
// made. Ids are strings.
const prime = 198491317, inverse = 0xba67519d; // each other's inverse modulo 2^32
// In a lap of steps the variable counter visits each lane, the blocks with the same first 16 bits, once. So many sequential
// blocks of a millisecond are reserved from lanes.
const lap = 65536, reserved = lap / 4;
const hold = 10_000, window = 600_000; // milliseconds: the step back that is waited for, and what a sequential seed is for
const gregorian = 12_219_292_800_000; // milliseconds from 1582-10-15 to 1970
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const reversed = (value) => { // its hexadecimal digits
    const nibbles = (value & 0x0f0f0f0f) << 4 | value >>> 4 & 0x0f0f0f0f;
    return (nibbles << 24 | (nibbles & 0xff00) << 8 | (nibbles >>> 8 & 0xff00) | nibbles >>> 24) >>> 0;
};
const blockAt = (step) => reversed(Math.imul(step, prime));
const stepOf = (block) => Math.imul(reversed(block), inverse) >>> 0;
// What orders blocks of a millisecond: both counters count it upward.
const sequenceOf = (block) => (stepOf(block) << 16 | (block & 0xffff)) >>> 0;

// The first word of the MD5 of at most 55 bytes, which browsers have no function for.
const md5 = (bytes) => {
    const turns = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
    const block = new DataView(new ArrayBuffer(64));
    [...bytes, 0x80].forEach((byte, at) => block.setUint8(at, byte));
    block.setUint32(56, bytes.length * 8, true);
    let [a, b, c, d] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
    for (let i = 0; i < 64; i++) {
        const [f, at] = [[b & c | ~b & d, i], [d & b | ~d & c, 5 * i + 1], [b ^ c ^ d, 3 * i + 5], [c ^ (b | ~d), 7 * i]][i >> 4];
        const sum = a + f + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) + block.getUint32(at % 16 * 4, true) | 0;
        const turn = turns[(i >> 4) * 4 + i % 4];
        [a, d, c, b] = [d, c, b, b + (sum << turn | sum >>> 32 - turn) | 0];
    }
    return 0x67452301 + a >>> 0;
};

// A number below 2^bits.
const random = (bits) => crypto.getRandomValues(new Uint32Array(1))[0] >>> 32 - bits;
const seedOf = (number) => { // of a year after 9999 the last four digits
    const time = new Date(number * window).toISOString().slice(-24);
    return md5(new TextEncoder().encode(time.replace(/\D/g, "").slice(0, 11)));
};

const check = (isRight, complaint) => { if (!isRight) throw new RangeError(complaint); };
const hex = (value, length) => value.toString(16).padStart(length, "0");
const bytes = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => hex(byte, 2));
const halfOf = (value) => bytes[value >>> 8 & 255] + bytes[value & 255];
const wordOf = (value) => halfOf(value >>> 16) + halfOf(value);

// All of an id but its block and its time.
const identityOf = (version, pid, node) => {
    check((version === 8 || version === 11) && Number.isInteger(node) && node >= 0 && node < 2 ** 28,
        `version ${version}, node ${node}: a version is 8 or 11, a node has 28 bits`);
    const low = version === 11 ? node & 0xffff : node & 0x3fff | 0x8000;
    return { version, node, text: `-${hex(pid, 4)}-${version.toString(16)}${hex(node >>> 16, 3)}-${hex(low, 4)}-` };
};

// A function of its state, an identity and the clock. Ids in order differ since each is greater than the one before,
// ids in lanes since each has a step of its own; the reserved blocks keep the two apart.
class Generator {
    #step; #window = 0; #sequential = seedOf(0); #reading = 0;
    #millisecond; #time; #lastPlace; #firstStep; #firstSequential; #hasLanes; #inOrderAlone; // of the millisecond

    constructor(step) { this.#step = step; this.#enter(0, 0); }
    next(mode, identity, now) {
        check(mode === "variable" || mode === "sequential", `mode "${mode}": it is "variable" or "sequential"`);
        const block = mode === "variable" ? blockAt(++this.#step) : this.#sequential = this.#sequentialAt(now) + 1 >>> 0;
        this.#enterPresent(now);
        return this.#inOrder(block, identity, now);
    }
    nextWithin([begin, end], identity, now) {
        this.#enterPresent(now);
        const first = Math.ceil(begin / lap), lanes = Math.floor(end / lap) - first;
        if (lanes <= 0) return this.#inOrder(begin + ++this.#step % (end - begin), identity, now);
        for (;;) {
            const lane = first + Math.floor(blockAt(++this.#step) * lanes / 2 ** 32);
            const block = blockAt(Math.floor(this.#step / lap) + this.#step << 16 | sequenceOf(lane << 16) >>> 16);
            if (this.#isReserved(block)) continue;
            if (!this.#inOrderAlone && this.#step - this.#firstStep < lap) {
                this.#hasLanes = true;
                return wordOf(block) + identity.text + this.#time;
            }
            this.#enter(this.#millisecond + 1, now);
        }
    }
    #inOrder(block, identity, now) {
        const place = identity.version * 2 ** 32 + sequenceOf(block);
        while (place <= this.#lastPlace || this.#hasLanes && !this.#isReserved(block)) this.#enter(this.#millisecond + 1, now);
        this.#lastPlace = place;
        this.#inOrderAlone ||= !this.#isReserved(block);
        return wordOf(block) + identity.text + this.#time;
    }
    #isReserved(block) { return (stepOf(block) ^ this.#firstStep) >>> 16 === 0 || block - this.#firstSequential >>> 0 < reserved; }

    #sequentialAt(now) {
        const number = Math.floor(now / window);
        if (number > this.#window) [this.#window, this.#sequential] = [number, seedOf(number)];
        return this.#sequential;
    }
    #enterPresent(now) {
        const startsOver = this.#reading - now > hold;
        this.#reading = startsOver ? now : Math.max(this.#reading, now);
        if (startsOver || this.#reading > this.#millisecond) this.#enter(this.#reading, now);
    }
    #enter(millisecond, now) {
        [this.#millisecond, this.#lastPlace, this.#hasLanes, this.#inOrderAlone] = [millisecond, 0, false, false];
        [this.#firstStep, this.#firstSequential] = [this.#step, this.#sequentialAt(now)];
        this.#time = hex(BigInt.asUintN(48, BigInt(millisecond)), 12); // which may be before 1970
    }
}

const nodeOf = (machine, address) => {
    const bytes = address.replaceAll(":", "").match(/../g).map((pair) => parseInt(pair, 16));
    return md5([...new TextEncoder().encode(machine.padEnd(40, "\0")), ...bytes]) & 0xfffffff;
};

// Random in a worker, whose process id is another's too, in a container, whose machine-id may be as well, and in Deno,
// which would ask for a permission.
const machineNode = () => {
    try {
        const [fs, os, workers] = ["fs", "os", "worker_threads"].map((name) => process.getBuiltinModule(name));
        if (globalThis.Deno || !workers.isMainThread || fs.statSync("/proc/self/ns/pid").ino !== 0xeffffffc) return random(28);
        const machine = fs.readFileSync("/etc/machine-id", "latin1").slice(0, 32);
        const outer = Object.values(os.networkInterfaces()).flat().find(({ internal }) => !internal);
        if (/^[0-9a-f]{32}$/i.test(machine)) return nodeOf(machine, outer?.mac ?? "00:00:00:00:00:00");
    } catch { /* no Linux, no Node.js, or no permission */ }
    return random(28);
};

// All copies of this module share a state, in other contexts of the process too; the number is that of its form. It is made
// with the first id, since some runtimes give no random bits before, and anew in a process that goes on from a copy.
const key = /* @__PURE__ */ Symbol.for("luuid 1");
let own;
const state = () => {
    const { process } = globalThis, pid = process?.pid;
    if (own && own.pid === pid) return own;
    const [home = globalThis, v8] = ["process", "v8"].map((name) => process?.getBuiltinModule?.(name)), snapshot = v8?.startupSnapshot;
    if (snapshot?.isBuildingSnapshot?.()) snapshot.addSerializeCallback(() => { own = home[key] = undefined; });
    own = home[key];
    if (own && own.pid === pid) return own;
    const node = machineNode(), field = pid & 0xffff || random(16);
    own = { pid, field, node, identity: identityOf(11, field, node), generator: new Generator(random(32)) };
    Reflect.set(home, key, own); // which may be frozen
    return own;
};
const generateWith = (method, argument, options) => {
    if (Object(options) !== options) throw new RangeError(`options ${String(options)}: they are an object of mode, version and node`);
    const own = state(), last = own.identity, { version = 11, node = own.node } = options;
    if (version !== last.version || node !== last.node) own.identity = identityOf(version, own.field, node); // most are the last
    return own.generator[method](argument ?? options.mode ?? "variable", own.identity, Date.now());
};
export const generate = (options = {}) => generateWith("next", null, options);
export const near = (id, bits = 16, options = {}) => generateWith("nextWithin", blocksNear(id, bits), options);
export const inShard = (shard, shards, options = {}) => {
    check(Number.isInteger(shard) && isCount(shards) && shard >= 0 && shard < shards,
        `shard ${shard} of ${shards}: shards are 1 to 2147483647, numbered from 0`);
    return generateWith("nextWithin", blocksOf(shard, shards), options);
};
const isCount = (shards) => Number.isInteger(shards) && shards >= 1 && shards < 2 ** 31;
const blocksOf = (shard, shards) => [shard, shard + 1].map((number) =>
    Number(((BigInt(number) << 32n) + BigInt(shards - 1)) / BigInt(shards)));
const blocksNear = (id, bits) => {
    check(Number.isInteger(bits) && bits >= 0 && bits <= 32, `${bits} bits: they are 0 to 32`);
    return blocksOf(Math.floor((wordAt(textOf(id), 0) >>> 0) / 2 ** (32 - bits)), 2 ** bits);
};

// What characters are worth by their place in these rows.
const worthsIn = (...rows) => Int8Array.from({ length: 128 }, (_, code) =>
    Math.max(...rows.map((row) => row.indexOf(String.fromCharCode(code)))));
const hexWorths = /* @__PURE__ */ worthsIn("0123456789abcdef", "0123456789ABCDEF");
const worthAt = (text, at, worths = hexWorths) => worths[text.charCodeAt(at)] ?? -1;
const halves = [0, 4, 9, 14, 19, 24, 28, 32]; // where four digits each are
const isHalf = (text, at) => (worthAt(text, at) | worthAt(text, at + 1) | worthAt(text, at + 2) | worthAt(text, at + 3)) >= 0;
const digitAt = (text, at) => { const code = text.charCodeAt(at); return (code & 15) + (code >> 6) * 9; }; // if it is one
const halfAt = (text, at) => digitAt(text, at) << 12 | digitAt(text, at + 1) << 8 | digitAt(text, at + 2) << 4 | digitAt(text, at + 3);
const wordAt = (text, high, low = high + 4) => halfAt(text, high) << 16 | halfAt(text, low);
const wordsOf = (text) => [wordAt(text, 0), wordAt(text, 9, 14), wordAt(text, 19, 24), wordAt(text, 28)];
const idOf = ([a, b, c, d]) => `${wordOf(a)}-${halfOf(b >>> 16)}-${halfOf(b)}-${halfOf(c >>> 16)}-${halfOf(c)}${wordOf(d)}`;

// An id with four hyphens, from what the server takes: a hyphen after any four digits, braces around the whole. No other
// form of these has these two hyphens in 36 characters.
const isHyphenated = (id) => typeof id === "string" && id.length === 36 && id.charCodeAt(8) === 45 && id.charCodeAt(23) === 45;
const textOf = (id) => {
    if (isHyphenated(id) && id[13] === "-" && id[18] === "-" && halves.every((at) => isHalf(id, at))) return id;
    const given = String(id), text = given.replace(/^\{(.*)\}$/, "$1");
    check(/^[\da-f]{4}(?:-?[\da-f]{4}){7}$/i.test(text), `"${given}" is no UUID`);
    return text.replaceAll("-", "").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

const versionOf = (text) => digitAt(text, 14);
const layoutOf = (text) => { // the version, or 0 if it tells no time
    const number = versionOf(text);
    return number === 1 || number === 11 || number >= 6 && number <= 8 && digitAt(text, 19) >> 2 === 2 ? number : 0;
};
const isLocality = (layout) => layout === 8 || layout === 11;
// Versions 1 and 6 have a count of 100 ns since 1582: its high 28 bits, and its low 32. As 2^32 is 429 496 times 10 000, and
// 7 296, each of the high ones is so many milliseconds, and the rest.
const highOf = (text, layout) => layout === 1 ? (halfAt(text, 14) & 0xfff) << 16 | halfAt(text, 9) : wordAt(text, 0) >>> 4;
const lowOf = (text, layout) =>
    (layout === 1 ? wordAt(text, 0) : halfAt(text, 4) << 28 | halfAt(text, 9) << 12 | halfAt(text, 14) & 0xfff) >>> 0;
const restOf = (text, layout) => highOf(text, layout) * 7_296 + lowOf(text, layout);
// When an id of this layout was made: the milliseconds since 1970, and the 100 ns beyond them.
const timeOf = (text, layout) => {
    if (layout === 0) return versionOf(text) || /[^0-]/.test(text) ? Infinity : -Infinity; // in the order, and the nil id
    if (isLocality(layout)) return halfAt(text, 24) * 2 ** 32 + (wordAt(text, 28) >>> 0);
    if (layout === 7) return (wordAt(text, 0) >>> 0) * 65536 + halfAt(text, 9);
    return highOf(text, layout) * 429_496 + Math.floor(restOf(text, layout) / 10_000) - gregorian;
};
const beyondOf = (text, layout) => layout === 1 || layout === 6 ? restOf(text, layout) % 10_000 : 0;

const reader = (read) => (id) => ((text) => read(text, layoutOf(text)))(textOf(id));
export const version = /* @__PURE__ */ reader(versionOf);
export const timestamp = /* @__PURE__ */ reader((text, layout) => layout ? new Date(timeOf(text, layout)) : null);
export const ticks = /* @__PURE__ */ reader((text, layout) =>
    layout ? BigInt(timeOf(text, layout)) * 10_000n + BigInt(beyondOf(text, layout)) : null);
export const counter = /* @__PURE__ */ reader((text, layout) => isLocality(layout) ? reversed(wordAt(text, 0)) : null);
export const pid = /* @__PURE__ */ reader((text, layout) => isLocality(layout) ? halfAt(text, 9) : null);
export const node = /* @__PURE__ */ reader((text, layout) => isLocality(layout)
    ? (halfAt(text, 14) & 0xfff) << 16 | halfAt(text, 19) & (layout === 11 ? 0xffff : 0x3fff)
    : layout === 1 || layout === 6 ? halfAt(text, 24) * 2 ** 32 + (wordAt(text, 28) >>> 0) : null);
export const shard = (id, shards) => { // a product of 63 bits, in two parts that are exact
    check(isCount(shards), `${shards} shards: they are 1 to 2147483647`);
    const text = textOf(id);
    return Math.floor((halfAt(text, 0) * shards + Math.floor(halfAt(text, 4) * shards / 65536)) / 65536);
};

// What orders ids: their time, their version, the place of their block, and their bytes, those of version 1 as signed ones.
// Where both ids have their time in the same halves, the first of these that differs decides.
const lastHalves = [24, 28, 32];
const halvesOfTime = { 0: [], 1: [14, 9, 0, 4], 6: [0, 4, 9, 14], 7: [0, 4, 9], 8: lastHalves, 11: lastHalves };
const differenceAt = (a, b, places) => {
    for (const at of places) {
        const difference = halfAt(a, at) - halfAt(b, at);
        if (difference) return difference;
    }
    return 0;
};
const placeOf = (text) => stepOf(halfAt(text, 0) << 16) & 0xffff;
const bytesOf = (text, layout) => layout === 1 ? idOf(wordsOf(text).map((word) => word ^ 0x80808080)) : text.toLowerCase();
export const compare = (one, other) => {
    const a = isHyphenated(one) ? one : textOf(one), b = isHyphenated(other) ? other : textOf(other);
    const first = layoutOf(a), second = layoutOf(b), places = halvesOfTime[first];
    const difference = (places === halvesOfTime[second] ? differenceAt(a, b, places)
        : timeOf(a, first) - timeOf(b, second) || beyondOf(a, first) - beyondOf(b, second))
        || versionOf(a) - versionOf(b) || isLocality(first) && placeOf(a) - placeOf(b) || differenceAt(a, b, [0, 4]);
    if (difference) return difference < 0 ? -1 : 1;
    const left = bytesOf(a, first), right = bytesOf(b, second);
    return left < right ? -1 : left > right ? 1 : textOf(a) && 0;
};

const microsecondsOf = (when) => typeof when === "bigint" ? when : BigInt(when.getTime()) * 1000n;
const countOf = (time, beyond) => (time + BigInt(gregorian) * 1000n) * 10n + beyond; // of 100 ns since 1582: ids hold 60 bits
export const floor = (when) => {
    const time = microsecondsOf(when), count = countOf(time, 0n), text = hex(count < 0 ? 0n : count, 15);
    if (text.length === 15) return `${text.slice(7)}-${text.slice(3, 7)}-1${text.slice(0, 3)}-8080-808080808080`;
    const millisecond = hex((time + 999n) / 1000n, 12);
    return millisecond.length > 12 ? idOf([0, 0, 0, 1]) : `${millisecond.slice(0, 8)}-${millisecond.slice(8)}-7000-8000-000000000000`;
};
export const ceiling = (when) => {
    const time = microsecondsOf(when), count = countOf(time, 9n), text = count >> 60n ? "f".repeat(15) : hex(count, 15);
    if (count < 0) return idOf([0, 0, 0, 0]);
    const isCounted = countOf(time / 1000n * 1000n, 0n) >> 60n === 0n;
    if (isCounted) return `${text.slice(0, 8)}-${text.slice(8, 12)}-6${text.slice(12)}-bfff-ffffffffffff`;
    const greatest = wordOf(reversed(Math.imul(0xffff, prime) & 0xffff) | 0xffff), millisecond = hex(time / 1000n, 12);
    return greatest + identityOf(11, 0xffff, 0xfffffff).text + (millisecond.length > 12 ? "f".repeat(12) : millisecond);
};

const pairs = /* @__PURE__ */ Array.from({ length: 1024 }, (_, pair) => digits[pair >> 5] + digits[pair & 31]);
export const toBase32 = (id) => {
    let [a, b, c, d] = wordsOf(textOf(id)), text = "";
    for (let pair = 0; pair < 13; pair++, d = d >>> 10 | c << 22, c = c >>> 10 | b << 22, b = b >>> 10 | a << 22, a >>>= 10) {
        text = pairs[d & 1023] + text;
    }
    return text;
};
const base32Worths = /* @__PURE__ */ worthsIn(digits, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", "oi", "OI", "0l", "0L");
export const fromBase32 = (text) => {
    let a = 0, b = 0, c = 0, d = 0, count = 0, wrong = 0;
    for (let at = 0; at < text.length; at++) {
        if (text[at] === "-") continue;
        const worth = worthAt(text, at, base32Worths);
        wrong |= count++ === 0 && worth > 7 ? -1 : worth;
        a = a << 5 | b >>> 27, b = b << 5 | c >>> 27, c = c << 5 | d >>> 27, d = d << 5 | worth;
    }
    check(wrong >= 0 && count === 26, `"${text}" is not 26 digits of base 32, of which the first is 0 to 7`);
    return idOf([a, b, c, d]);
};

export const internals = { Generator, identityOf, seedOf, nodeOf, blocksNear, blocksOf, state }; // for the tests

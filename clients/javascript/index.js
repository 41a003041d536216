// Locality ids, made where the application runs: they spread over shards by their first bits, and tell when they were
// made. Ids are strings.
const prime = 198491317, inverse = 0xba67519d; // each other's inverse modulo 2^32
const lap = 65536; // in so many steps the variable counter visits each lane once: the blocks with the same first 16 bits
const reserved = lap / 4; // so many sequential blocks of a millisecond are not for lanes
const hold = 10_000, window = 600_000; // milliseconds: the step back that is waited for, and what a sequential seed is for
const milliseconds = (1n << 48n) - 1n, word = (1n << 32n) - 1n, countMax = (1n << 60n) - 1n;
const gregorian = 0x01b21dd213814000n; // ticks from 1582-10-15 to 1970
const signs = 0x8080808080808080n; // of the bytes that version 1 compares last
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const reversed = (value) => { // its hexadecimal digits
    const nibbles = (value & 0x0f0f0f0f) << 4 | (value >>> 4 & 0x0f0f0f0f);
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
        const round = i >> 4;
        const f = [b & c | ~b & d, d & b | ~d & c, b ^ c ^ d, c ^ (b | ~d)][round];
        const at = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] % 16;
        const sum = a + f + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) + block.getUint32(4 * at, true) | 0;
        const turn = turns[4 * round + i % 4];
        [a, d, c, b] = [d, c, b, b + (sum << turn | sum >>> 32 - turn) | 0];
    }
    return 0x67452301 + a >>> 0;
};

// A number below 2^bits.
const random = (bits) => crypto.getRandomValues(new Uint32Array(1))[0] >>> 32 - bits;
const seedOf = (number) => {
    // In the calendar's cycle of 400 years, since Date ends before ids do.
    const cycle = 146097 * 144;
    const [, year, rest] = new Date(number % cycle * window).toISOString().match(/^(\d+)-(.{12})/);
    const years = (Number(year) + 400 * Math.floor(number / cycle)) % 10000;
    return md5(new TextEncoder().encode(String(years).padStart(4, "0") + rest.replace(/\D/g, "").slice(0, 7)));
};

const check = (isRight, complaint) => { if (!isRight) throw new RangeError(complaint); };
const hex = (value, length) => value.toString(16).padStart(length, "0");
const bytes = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));
const wordOf = (value) => bytes[value >>> 24] + bytes[value >>> 16 & 255] + bytes[value >>> 8 & 255] + bytes[value & 255];

// All of an id but its block and its time.
const identityOf = (version, pid, node) => {
    const isRight = (version === 8 || version === 11) && Number.isInteger(node) && node >= 0 && node < 2 ** 28;
    check(isRight, `version ${version}, node ${node}: a version is 8 or 11, a node has 28 bits`);
    const low = version === 11 ? node & 0xffff : node & 0x3fff | 0x8000;
    return { version, node, text: `-${hex(pid, 4)}-${version.toString(16)}${hex(node >>> 16, 3)}-${hex(low, 4)}-` };
};

// A function of its state, an identity and the clock. Ids in order differ since each is greater than the one before,
// ids in lanes since each has a step of its own; the reserved blocks keep the two apart.
class Generator {
    #step; #window = 0; #sequential = seedOf(0); #reading = 0;
    #millisecond; #time; #lastPlace; #firstStep; #firstSequential; #hasLanes; #inOrderAlone; // of the millisecond

    constructor(step) {
        this.#step = step;
        this.#enter(0, 0);
    }

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
        while (place <= this.#lastPlace || this.#hasLanes && !this.#isReserved(block)) {
            this.#enter(this.#millisecond + 1, now);
        }
        this.#lastPlace = place;
        this.#inOrderAlone ||= !this.#isReserved(block);
        return wordOf(block) + identity.text + this.#time;
    }

    #isReserved(block) {
        return stepOf(block) >>> 16 === this.#firstStep >>> 16 || block - this.#firstSequential >>> 0 < reserved;
    }

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

// Random in a worker, whose process id is another's too, and in a container, whose machine-id may be as well.
const machineNode = () => {
    try {
        const [fs, os, workers] = ["fs", "os", "worker_threads"].map((name) => process.getBuiltinModule(name));
        const machine = fs.readFileSync("/etc/machine-id", "latin1").slice(0, 32);
        if (workers.isMainThread && fs.statSync("/proc/self/ns/pid").ino === 0xeffffffc && /^[0-9a-f]{32}$/i.test(machine)) {
            const outer = Object.values(os.networkInterfaces()).flat().find(({ internal }) => !internal);
            return nodeOf(machine, outer?.mac ?? "00:00:00:00:00:00");
        }
    } catch { /* no Linux, or no Node.js */ }
    return random(28);
};
const ownNode = machineNode(), ownPid = globalThis.process?.pid & 0xffff || random(16);
const generator = new Generator(random(32));
let identity = identityOf(11, ownPid, ownNode); // the one before, since most are the same
const own = ({ version = 11, node = ownNode }) =>
    version === identity.version && node === identity.node ? identity : identity = identityOf(version, ownPid, node);
export const generate = (options = {}) => {
    if (typeof options !== "object") throw new RangeError(`options ${options}: they are an object of mode, version and node`);
    const { mode = "variable" } = options;
    return generator.next(mode, own(options), Date.now());
};
export const near = (id, bits = 16, options = {}) => generator.nextWithin(blocksNear(id, bits), own(options), Date.now());
export const inShard = (shard, shards, options = {}) => generator.nextWithin(blocksOf(shard, shards), own(options), Date.now());

const blocksNear = (id, bits) => {
    check(Number.isInteger(bits) && bits >= 0 && bits <= 32, `${bits} bits: they are 0 to 32`);
    const size = 2 ** (32 - bits), begin = Math.floor(prefixOf(bitsOf(id)) / size) * size;
    return [begin, begin + size];
};

const blocksOf = (shard, shards) => {
    const last = checked(shards) - 1n;
    check(Number.isInteger(shard) && shard >= 0 && shard <= last, `shard ${shard} of ${shards}: shards are numbered from 0`);
    return [BigInt(shard), BigInt(shard) + 1n].map((number) => Number(((number << 32n) + last) / (last + 1n)));
};

const checked = (shards) => {
    check(Number.isInteger(shards) && shards >= 1 && shards < 2 ** 31, `${shards} shards: they are 1 to 2147483647`);
    return BigInt(shards);
};

const bitsOf = (id) => {
    check(/^(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}$/i.test(id), `"${id}" is no UUID`);
    return BigInt(`0x${id.replaceAll("-", "")}`);
};
const idOf = (bits) => hex(bits, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
const prefixOf = (bits) => Number(bits >> 96n);
const versionOf = (bits) => Number(bits >> 76n & 15n);

// The version, or 0 if it tells no time.
const layoutOf = (bits) => {
    const number = versionOf(bits);
    return number === 1 || number === 11 || [6, 7, 8].includes(number) && (bits >> 62n & 3n) === 2n ? number : 0;
};
const isLocality = (layout) => layout === 8 || layout === 11;
const ticksOf = (bits, layout) => {
    const high = bits >> 64n;
    switch (layout) {
        case 0: return null;
        case 1: return ((high & 0xfffn) << 48n | (high >> 16n & 0xffffn) << 32n | high >> 32n) - gregorian;
        case 6: return (high >> 16n << 12n | high & 0xfffn) - gregorian;
        case 7: return (high >> 16n) * 10_000n;
        default: return (bits & milliseconds) * 10_000n;
    }
};

// A function of an id's bits and its layout.
const reader = (read) => (id) => ((bits) => read(bits, layoutOf(bits)))(bitsOf(id));
const floored = (value, by) => (value - ((value % by) + by) % by) / by;
export const version = reader(versionOf);
export const ticks = reader(ticksOf);
export const timestamp = reader((bits, layout) => layout ? new Date(Number(floored(ticksOf(bits, layout), 10_000n))) : null);
export const counter = reader((bits, layout) => isLocality(layout) ? reversed(prefixOf(bits)) : null);
export const pid = reader((bits, layout) => isLocality(layout) ? Number(bits >> 80n & 0xffffn) : null);
export const node = reader((bits, layout) => isLocality(layout)
    ? Number((bits >> 64n & 0xfffn) << 16n | bits >> 48n & (layout === 11 ? 0xffffn : 0x3fffn))
    : layout === 1 || layout === 6 ? Number(bits & milliseconds) : null);
export const shard = (id, shards) => Number((bitsOf(id) >> 96n) * checked(shards) >> 32n);
const placeOf = reader((bits, layout) => layout
    ? [1, ticksOf(bits, layout), layout, isLocality(layout) ? sequenceOf(prefixOf(bits)) : 0, layout === 1 ? bits ^ signs : bits]
    : [bits ? 2 : 0, 0n, versionOf(bits), 0, bits]);

export const compare = (a, b) => {
    const first = placeOf(a), second = placeOf(b);
    const at = first.findIndex((value, index) => value !== second[index]);
    return at < 0 ? 0 : first[at] < second[at] ? -1 : 1;
};
const microsecondsOf = (when) => typeof when === "bigint" ? when : BigInt(when.getTime()) * 1000n;
export const floor = (when) => {
    const time = microsecondsOf(when), shifted = time * 10n + gregorian;
    const count = shifted < 0n ? 0n : shifted, millisecond = floored(time + 999n, 1000n);
    return idOf(count <= countMax
        ? ((count & word) << 32n | (count >> 32n & 0xffffn) << 16n | 0x1000n | count >> 48n) << 64n | signs
        : millisecond <= milliseconds ? millisecond << 80n | 7n << 76n | 1n << 63n : 1n);
};

export const ceiling = (when) => {
    const time = microsecondsOf(when), end = time * 10n + 9n + gregorian, millisecond = floored(time, 1000n);
    const count = end < countMax ? end : countMax;
    if (millisecond <= (countMax - gregorian) / 10_000n) {
        return idOf(end < 9n ? 0n : (count >> 12n << 16n | 0x6000n | count & 0xfffn) << 64n | 0xbfffffffffffffffn);
    }
    const greatest = hex((reversed(Math.imul(0xffff, prime) & 0xffff) | 0xffff) >>> 0, 8);
    return greatest + identityOf(11, 0xffff, 0xfffffff).text + hex(millisecond < milliseconds ? millisecond : milliseconds, 12);
};

export const toBase32 = reader((bits) =>
    Array.from({ length: 26 }, (_, at) => digits[Number(bits >> BigInt(125 - 5 * at) & 31n)]).join(""));

export const fromBase32 = (text) => {
    const plain = text.replaceAll("-", "").replace(/o/gi, "0").replace(/[il]/gi, "1");
    check(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/i.test(plain), `"${text}" is not 26 digits of base 32, of which the first is 0 to 7`);
    return idOf([...plain.toLowerCase()].reduce((bits, digit) => bits << 5n | BigInt(digits.indexOf(digit)), 0n));
};

export const internals = { Generator, identityOf, seedOf, nodeOf, blocksNear, blocksOf, ownNode }; // for the tests

// Generates ids of versions 7, b and 8, from one state for all copies of this module in a process.
import { blockAt, check, halfOf, hex, isCount, microsecondsOf, sequenceOf, stepOf, textOf, wordAt, wordOf } from "./reading.js";
import { sipHash } from "./seal.js";

// The steps in which the variable counter visits each lane, the blocks with the same first 16 bits, once; and how many of the
// next sequential blocks ids in lanes must not have.
const lap = 65536;
const reserved = lap / 4;
// Milliseconds: the longest step back that a generator waits for, and how long a sequential seed is valid.
const hold = 10_000;
const window = 600_000;

// The first word of the MD5 of at most 55 bytes. Browsers have no function for MD5.
const md5 = (bytes) => {
    const turns = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
    const block = new DataView(new ArrayBuffer(64));
    [...bytes, 0x80].forEach((byte, at) => block.setUint8(at, byte));
    block.setUint32(56, bytes.length * 8, true);
    let [a, b, c, d] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
    for (let i = 0; i < 64; i++) {
        const [f, at] = [
            [(b & c) | (~b & d), i],
            [(d & b) | (~d & c), 5 * i + 1],
            [b ^ c ^ d, 3 * i + 5],
            [c ^ (b | ~d), 7 * i],
        ][i >> 4];
        const sum = (a + f + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) + block.getUint32((at % 16) * 4, true)) | 0;
        const turn = turns[(i >> 4) * 4 + (i % 4)];
        [a, d, c, b] = [d, c, b, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0];
    }
    return (0x67452301 + a) >>> 0;
};

const codesOf = (text) => Array.from(text, (character) => character.charCodeAt(0));

// A random number below 2^bits, of 1 to 32 bits.
const random = (bits) => crypto.getRandomValues(new Uint32Array(1))[0] >>> (32 - bits);
// The MD5 of a window's start as YYYYMMDDHHM. A year after 9999 has its last four digits there.
export const seedOf = (number) => {
    const time = new Date(number * window).toISOString().slice(-24);
    return md5(codesOf(time.replace(/\D/g, "").slice(0, 11)));
};

// The fields of an id besides its block and time. RangeError if one is out of range.
export const identityOf = (version, pid, node) => {
    check(
        (version === 8 || version === 11) && Number.isInteger(node) && node >= 0 && node < 2 ** 28,
        `version ${version}, node ${node}: a version is 8 or 11, and a node has 28 bits; generateV7() generates version 7`,
    );
    const low = version === 11 ? node & 0xffff : (node & 0x3fff) | 0x8000;
    return { version, node, text: `-${hex(pid, 4)}-${version.toString(16)}${hex(node >>> 16, 3)}-${hex(low, 4)}-` };
};

const random7 = (1n << 62n) - 1n;
const version7 = (stamp, random) => {
    const high = hex(((stamp & ~0xfffn) << 4n) | 0x7000n | (stamp & 0xfffn), 16);
    const low = hex((1n << 63n) | random, 16);
    return `${high.slice(0, 8)}-${high.slice(8, 12)}-${high.slice(12)}-${low.slice(0, 4)}-${low.slice(4)}`;
};

// Computes the next id from its state, an identity and the clock. Ids in order differ because each is greater than the one before,
// ids in lanes because each has a step of its own. Blocks that are reserved for ids in order keep the two kinds apart.
export class Generator {
    #step;
    #window = 0;
    #sequential = seedOf(0);
    #reading = 0;
    // What it knows of the current millisecond.
    #millisecond;
    #time;
    #lastPlace;
    #firstStep;
    #firstSequential;
    #hasLanes;
    #inOrderAlone;
    // Version 7: the stamp and random bits of the last id; the last number for a given time, and the key of the time's hash.
    #stamp = 0n;
    #random = 0n;
    #given = 0n;
    #givenKey = new DataView(new ArrayBuffer(16));

    constructor(step) {
        this.#step = step;
        this.#enter(0, 0);
    }
    next(mode, identity, now) {
        check(mode === "variable" || mode === "sequential", `mode "${mode}": it is "variable" or "sequential"`);
        const block = mode === "variable" ? blockAt(++this.#step) : (this.#sequential = (this.#sequentialAt(now) + 1) >>> 0);
        this.#enterPresent(now);
        return this.#inOrder(block, identity, now);
    }
    nextWithin([begin, end], identity, now) {
        this.#enterPresent(now);
        const first = Math.ceil(begin / lap);
        const lanes = Math.floor(end / lap) - first;
        if (lanes <= 0) return this.#inOrder(begin + (++this.#step % (end - begin)), identity, now);
        for (;;) {
            const lane = first + Math.floor((blockAt(++this.#step) * lanes) / 2 ** 32);
            const block = blockAt(((Math.floor(this.#step / lap) + this.#step) << 16) | (sequenceOf(lane << 16) >>> 16));
            if (this.#isReserved(block)) continue;
            if (!this.#inOrderAlone && this.#step - this.#firstStep < lap) {
                this.#hasLanes = true;
                return wordOf(block) + identity.text + this.#time;
            }
            this.#enter(this.#millisecond + 1, now);
        }
    }
    // Version 7 as the server generates it: `now`, the stamp, is in 4096ths of a millisecond. Ids of one stamp increase by their
    // random bits; those of a given one by a number, to which a keyed hash of the stamp is added, so that others have no order.
    next7(now, random) {
        if (now <= this.#stamp) this.#random += 1n + (random & 0xfffffffffffffn);
        if (now > this.#stamp || this.#random > random7) {
            this.#stamp = now > this.#stamp ? now : this.#stamp + 1n;
            this.#random = random & random7;
        }
        return version7(this.#stamp, this.#random);
    }
    next7At(stamp, draw) {
        if (!this.#given) [0, 8].forEach((at) => this.#givenKey.setBigUint64(at, draw(), true));
        this.#given += 1n + (draw() & 0xffffffn);
        const bytes = Array.from({ length: 8 }, (_, at) => Number((stamp >> BigInt(8 * at)) & 255n));
        return version7(stamp, (this.#given + (sipHash(this.#givenKey, bytes) >> 3n)) & random7);
    }
    #inOrder(block, identity, now) {
        const place = identity.version * 2 ** 32 + sequenceOf(block);
        while (place <= this.#lastPlace || (this.#hasLanes && !this.#isReserved(block))) this.#enter(this.#millisecond + 1, now);
        this.#lastPlace = place;
        this.#inOrderAlone ||= !this.#isReserved(block);
        return wordOf(block) + identity.text + this.#time;
    }
    #isReserved(block) {
        return (stepOf(block) ^ this.#firstStep) >>> 16 === 0 || (block - this.#firstSequential) >>> 0 < reserved;
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
        this.#time = hex(millisecond, 12);
    }
}

export const nodeOf = (machine, address) => {
    const bytes = address.replaceAll(":", "").match(/../g);
    return md5([...codesOf(machine.padEnd(40, "\0")), ...bytes.map((byte) => parseInt(byte, 16))]) & 0xfffffff;
};

// A hash of the machine's identity. Random in a worker, which shares its process id, in a container, whose process ids and
// machine-id may be another's too, and in Deno, which would ask for a permission.
const machineNode = () => {
    try {
        const [fs, os, workers] = ["fs", "os", "worker_threads"].map((name) => process.getBuiltinModule(name));
        if (globalThis.Deno || !workers.isMainThread || fs.statSync("/proc/self/ns/pid").ino !== 0xeffffffc) return random(28);
        const machine = fs.readFileSync("/etc/machine-id", "latin1").slice(0, 32);
        const addresses = Object.values(os.networkInterfaces()).flat();
        const outer = addresses.find(({ internal }) => !internal);
        if (/^[0-9a-f]{32}$/i.test(machine)) return nodeOf(machine, outer?.mac ?? "00:00:00:00:00:00");
    } catch {
        // No Linux, no Node.js, or no permission.
    }
    return random(28);
};

// All copies of this module in a process share one state, in all contexts, if they have it in one form: its fields, and its
// generator's methods. A change of the form increases the number in the key. A copy of another form has a state of its own, which
// has a random node, so that its ids differ. The first id creates the state, since some runtimes have no random bits earlier; a
// process that continues a snapshot creates another.
const key = /* @__PURE__ */ Symbol.for("luuid 1");
const hasAnotherForm = (home) =>
    Object.getOwnPropertySymbols(home).some((other) => other !== key && other.description?.startsWith("luuid ") && home[other]);
let own;
export const state = () => {
    const { process } = globalThis;
    const pid = process?.pid;
    if (own && own.pid === pid) return own;
    const [home = globalThis, v8] = ["process", "v8"].map((name) => process?.getBuiltinModule?.(name));
    const forget = () => (own = home[key] = undefined);
    if (v8?.startupSnapshot?.isBuildingSnapshot?.()) v8.startupSnapshot.addSerializeCallback(forget);
    own = home[key];
    if (own && own.pid === pid) return own;
    const node = hasAnotherForm(home) ? random(28) : machineNode();
    const field = pid & 0xffff || random(16);
    own = { pid, field, node, identity: identityOf(11, field, node), generator: new Generator(random(32)) };
    Reflect.set(home, key, own); // an assignment would throw if `home` is frozen
    return own;
};

// Milliseconds since 1970. It refuses a result that is no number, as of a test's mock, which would stop the time of all later ids.
const clock = () => {
    const now = Date.now();
    if (Number.isFinite(now) && now < 2 ** 48) return Math.max(Math.floor(now), 0);
    throw new TypeError(`Date.now() returned ${String(now)}: it is to be a finite number of milliseconds, below 2^48`);
};
// The fraction of the millisecond in 4096ths; 0 if the runtime knows only milliseconds.
const beyondMillisecond = ({ performance } = globalThis) => (((performance?.timeOrigin + performance?.now()) % 1) * 4096) & 4095;

const checkOptions = (options, ...names) => {
    if (Object(options) !== options) {
        throw new RangeError(`options ${String(options)}: they are an object of ${names.join(", ")}; to map, write () => generate()`);
    }
    for (const name in options) {
        if (options[name] !== undefined && !names.includes(name)) throw new RangeError(`option ${name}: here are ${names.join(", ")}`);
    }
};
const generateWith = (method, argument, options) => {
    const own = state();
    const { version = 11, node = own.node } = options;
    // Keeps the last identity, since most calls have the same.
    if (version !== own.identity.version || node !== own.identity.node) own.identity = identityOf(version, own.field, node);
    return own.generator[method](argument, own.identity, clock());
};
const generateWithin = (blocks, options) => {
    checkOptions(options, "version", "node");
    return generateWith("nextWithin", blocks, options);
};
export const generateV7 = (at) => {
    const { generator } = state();
    const draw = () => {
        const [high, low] = crypto.getRandomValues(new Uint32Array(2)); // React Native fills no 64-bit arrays
        return (BigInt(high) << 32n) | BigInt(low);
    };
    if (at === undefined) return generator.next7((BigInt(clock()) << 12n) | BigInt(beyondMillisecond()), draw());
    const time = microsecondsOf(at);
    check(time >= 0n && time < 1000n << 48n, `at ${time} microseconds: version 7 has times from 1970 to 10889`);
    return generator.next7At(((time / 1000n) << 12n) | (((time % 1000n) * 4096n) / 1000n), draw);
};
export const generate = (options = {}) => {
    checkOptions(options, "mode", "version", "node");
    return generateWith("next", options.mode ?? "variable", options);
};
export const near = (id, bits = 16, options = {}) => generateWithin(blocksNear(id, bits), options);
export const inShard = (shard, shards, options = {}) => {
    check(
        Number.isInteger(shard) && isCount(shards) && shard >= 0 && shard < shards,
        `shard ${shard} of ${shards}: shards are 1 to 2147483647, numbered from 0`,
    );
    return generateWithin(blocksOf(shard, shards), options);
};
export const blocksOf = (shard, shards) =>
    [shard, shard + 1].map((number) => Number(((BigInt(number) << 32n) + BigInt(shards - 1)) / BigInt(shards)));
export const blocksNear = (id, bits) => {
    check(Number.isInteger(bits) && bits >= 0 && bits <= 32, `${bits} bits: they are 0 to 32`);
    return blocksOf(Math.floor((wordAt(textOf(id), 0) >>> 0) / 2 ** (32 - bits)), 2 ** bits);
};

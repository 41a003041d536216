// Reads ids, which are strings: their fields, their order, the boundaries of a time, and base 32. index.d.ts documents each function.
const prime = 198491317;
const inverse = 0xba67519d; // of prime, modulo 2^32
const gregorian = 12_219_292_800_000; // milliseconds from 1582-10-15 to 1970
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
// Reverses the eight hexadecimal digits of a number.
export const reversed = (value) => {
    const nibbles = ((value & 0x0f0f0f0f) << 4) | ((value >>> 4) & 0x0f0f0f0f);
    return ((nibbles << 24) | ((nibbles & 0xff00) << 8) | ((nibbles >>> 8) & 0xff00) | (nibbles >>> 24)) >>> 0;
};
export const blockAt = (step) => reversed(Math.imul(step, prime));
export const stepOf = (block) => Math.imul(reversed(block), inverse) >>> 0;
// Orders the blocks of a millisecond: both counters increase it.
export const sequenceOf = (block) => ((stepOf(block) << 16) | (block & 0xffff)) >>> 0;

export const check = (isRight, complaint) => {
    if (!isRight) throw new RangeError(complaint);
};
export const hex = (value, length) => value.toString(16).padStart(length, "0");
const bytes = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => hex(byte, 2));
export const halfOf = (value) => bytes[(value >>> 8) & 255] + bytes[value & 255];
export const wordOf = (value) => halfOf(value >>> 16) + halfOf(value);
export const isCount = (shards) => Number.isInteger(shards) && shards >= 1 && shards < 2 ** 31;

// A table of values by character code: a character's place in one of these rows, or -1.
const worthsIn = (...rows) => Int8Array.from({ length: 128 }, (_, code) => Math.max(...rows.map((row) => row.indexOf(String.fromCharCode(code)))));
const hexWorths = /* @__PURE__ */ worthsIn("0123456789abcdef", "0123456789ABCDEF");
const worthAt = (text, at, worths = hexWorths) => worths[text.charCodeAt(at)] ?? -1;
const halves = [0, 4, 9, 14, 19, 24, 28, 32]; // where each group of four digits begins
const isHalf = (text, at) => (worthAt(text, at) | worthAt(text, at + 1) | worthAt(text, at + 2) | worthAt(text, at + 3)) >= 0;
// The value of a character that is a hexadecimal digit.
const digitAt = (text, at) => {
    const code = text.charCodeAt(at);
    return (code & 15) + (code >> 6) * 9;
};
const halfAt = (text, at) => (digitAt(text, at) << 12) | (digitAt(text, at + 1) << 8) | (digitAt(text, at + 2) << 4) | digitAt(text, at + 3);
export const wordAt = (text, high, low = high + 4) => (halfAt(text, high) << 16) | halfAt(text, low);
const wordsOf = (text) => [wordAt(text, 0), wordAt(text, 9, 14), wordAt(text, 19, 24), wordAt(text, 28)];
const idOf = ([a, b, c, d]) => `${wordOf(a)}-${halfOf(b >>> 16)}-${halfOf(b)}-${halfOf(c >>> 16)}-${halfOf(c)}${wordOf(d)}`;

// True for an id with four hyphens. Of the forms that uuid_in accepts in PostgreSQL's uuid.c, no other one has 36 characters and
// these two hyphens.
const isHyphenated = (id) => typeof id === "string" && id.length === 36 && id.charCodeAt(8) === 45 && id.charCodeAt(23) === 45;
export const textOf = (id) => {
    if (isHyphenated(id) && id[13] === "-" && id[18] === "-" && halves.every((at) => isHalf(id, at))) return id;
    const given = String(id);
    const text = given.replace(/^\{(.*)\}$/, "$1");
    check(/^[\da-f]{4}(?:-?[\da-f]{4}){7}$/i.test(text), `"${given}" is no UUID`);
    return text.replaceAll("-", "").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

const versionOf = (text) => digitAt(text, 14);
// The version, or 0 if the id has no time.
const layoutOf = (text) => {
    const number = versionOf(text);
    return number === 1 || number === 11 || (number >= 6 && number <= 8 && digitAt(text, 19) >> 2 === 2) ? number : 0;
};
const isLocality = (layout) => layout === 8 || layout === 11;
const isCounted = (layout) => layout === 1 || layout === 6;
// Versions 1 and 6 count 100 ns since 1582 in 60 bits, more than a number has: 28 high bits and 32 low ones. 10 000 units are a
// millisecond, and 2^32 = 429 496 * 10 000 + 7 296. So a high unit is 429 496 milliseconds, and leaves 7 296 units.
const highOf = (text, layout) => (layout === 1 ? ((halfAt(text, 14) & 0xfff) << 16) | halfAt(text, 9) : wordAt(text, 0) >>> 4);
const lowOf = (text, layout) =>
    (layout === 1 ? wordAt(text, 0) : (halfAt(text, 4) << 28) | (halfAt(text, 9) << 12) | (halfAt(text, 14) & 0xfff)) >>> 0;
const restOf = (text, layout) => highOf(text, layout) * 7_296 + lowOf(text, layout);
// The time of an id of this layout: timeOf has milliseconds since 1970, and beyondOf the units of 100 ns after them.
const timeOf = (text, layout) => {
    if (layout === 0) return versionOf(text) || /[^0-]/.test(text) ? Infinity : -Infinity; // for compare: nil is before all times
    if (isLocality(layout)) return halfAt(text, 24) * 2 ** 32 + (wordAt(text, 28) >>> 0);
    if (layout === 7) return (wordAt(text, 0) >>> 0) * 65536 + halfAt(text, 9);
    return highOf(text, layout) * 429_496 + Math.floor(restOf(text, layout) / 10_000) - gregorian;
};
const beyondOf = (text, layout) => (isCounted(layout) ? restOf(text, layout) % 10_000 : 0);

const reader = (read) => (id) => ((text) => read(text, layoutOf(text)))(textOf(id));
export const version = /* @__PURE__ */ reader(versionOf);
export const timestamp = /* @__PURE__ */ reader((text, layout) => (layout ? new Date(timeOf(text, layout)) : null));
export const ticks = /* @__PURE__ */ reader((text, layout) =>
    layout ? BigInt(timeOf(text, layout)) * 10_000n + BigInt(beyondOf(text, layout)) : null,
);
export const counter = /* @__PURE__ */ reader((text, layout) => (isLocality(layout) ? reversed(wordAt(text, 0)) : null));
export const pid = /* @__PURE__ */ reader((text, layout) => (isLocality(layout) ? halfAt(text, 9) : null));
export const node = /* @__PURE__ */ reader((text, layout) => {
    if (isLocality(layout)) return ((halfAt(text, 14) & 0xfff) << 16) | (halfAt(text, 19) & (layout === 11 ? 0xffff : 0x3fff));
    return isCounted(layout) ? halfAt(text, 24) * 2 ** 32 + (wordAt(text, 28) >>> 0) : null;
});
// The product can have 63 bits, so it is computed in two parts, which are exact.
export const shard = (id, shards) => {
    check(isCount(shards), `${shards} shards: they are 1 to 2147483647`);
    const text = textOf(id);
    return Math.floor((halfAt(text, 0) * shards + Math.floor((halfAt(text, 4) * shards) / 65536)) / 65536);
};

// Ids are ordered by time, version, the place of the block, and bytes, which version 1 compares as signed. If both ids have
// their time in the same groups of digits, the first group that differs decides.
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
const bytesOf = (text, layout) => (layout === 1 ? idOf(wordsOf(text).map((word) => word ^ 0x80808080)) : text.toLowerCase());
export const compare = (one, other) => {
    const a = isHyphenated(one) ? one : textOf(one);
    const b = isHyphenated(other) ? other : textOf(other);
    const first = layoutOf(a);
    const second = layoutOf(b);
    const places = halvesOfTime[first];
    const difference =
        (places === halvesOfTime[second]
            ? differenceAt(a, b, places)
            : timeOf(a, first) - timeOf(b, second) || beyondOf(a, first) - beyondOf(b, second)) ||
        versionOf(a) - versionOf(b) ||
        (isLocality(first) && placeOf(a) - placeOf(b)) ||
        differenceAt(a, b, [0, 4]);
    if (difference) return difference < 0 ? -1 : 1;
    const left = bytesOf(a, first);
    const right = bytesOf(b, second);
    return left < right ? -1 : left > right ? 1 : textOf(a) && 0;
};

export const microsecondsOf = (when) => {
    if (typeof when === "bigint") return when;
    const time = Object.prototype.toString.call(when) === "[object Date]" ? when.getTime() : NaN;
    if (Number.isNaN(time)) throw new TypeError(`${String(when)} is no time: that is a valid Date, or a bigint of microseconds since 1970`);
    return BigInt(time) * 1000n;
};
const countOf = (time, beyond) => (time + BigInt(gregorian) * 1000n) * 10n + beyond; // in 100 ns since 1582, of which an id holds 60 bits
export const floor = (when) => {
    const time = microsecondsOf(when);
    const count = countOf(time, 0n);
    const text = hex(count < 0 ? 0n : count, 15);
    if (text.length === 15) return `${text.slice(7)}-${text.slice(3, 7)}-1${text.slice(0, 3)}-8080-808080808080`;
    const millisecond = hex((time + 999n) / 1000n, 12);
    return millisecond.length > 12 ? idOf([0, 0, 0, 1]) : `${millisecond.slice(0, 8)}-${millisecond.slice(8)}-7000-8000-000000000000`;
};
export const ceiling = (when) => {
    const time = microsecondsOf(when);
    const count = countOf(time, 9n);
    const text = count >> 60n ? "f".repeat(15) : hex(count, 15);
    if (count < 0) return idOf([0, 0, 0, 0]);
    if (countOf((time / 1000n) * 1000n, 0n) >> 60n === 0n) return `${text.slice(0, 8)}-${text.slice(8, 12)}-6${text.slice(12)}-bfff-ffffffffffff`;
    const greatest = wordOf(reversed(Math.imul(0xffff, prime) & 0xffff) | 0xffff);
    const millisecond = hex(time / 1000n, 12);
    return `${greatest}-ffff-bfff-ffff-` + (millisecond.length > 12 ? "f".repeat(12) : millisecond);
};

const pairs = /* @__PURE__ */ Array.from({ length: 1024 }, (_, pair) => digits[pair >> 5] + digits[pair & 31]);
export const toBase32 = (id) => {
    let [a, b, c, d] = wordsOf(textOf(id));
    let text = "";
    for (let pair = 0; pair < 13; pair++, d = (d >>> 10) | (c << 22), c = (c >>> 10) | (b << 22), b = (b >>> 10) | (a << 22), a >>>= 10) {
        text = pairs[d & 1023] + text;
    }
    return text;
};
const base32Worths = /* @__PURE__ */ worthsIn(digits, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", "oi", "OI", "0l", "0L");
export const fromBase32 = (given) => {
    const text = String(given);
    let [a, b, c, d, count, wrong] = [0, 0, 0, 0, 0, 0];
    for (let at = 0; at < text.length; at++) {
        if (text[at] === "-") continue;
        const worth = worthAt(text, at, base32Worths);
        wrong |= count++ === 0 && worth > 7 ? -1 : worth;
        [a, b, c, d] = [(a << 5) | (b >>> 27), (b << 5) | (c >>> 27), (c << 5) | (d >>> 27), (d << 5) | worth];
    }
    check(wrong >= 0 && count === 26, `"${text}" is not 26 digits of base 32, of which the first is 0 to 7`);
    return idOf([a, b, c, d]);
};

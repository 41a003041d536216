// Seals ids of version 7 as UUIDv47 does: XORs the time with SipHash-2-4 of the other bits under a key of 16 bytes, and makes
// the version 4. Whoever has the key can unseal them.
import { check, textOf } from "./reading.js";

const all = (1n << 64n) - 1n;
const rotated = (word, bits) => ((word << bits) | (word >> (64n - bits))) & all;
const round = ([a, b, c, d]) => {
    a = (a + b) & all;
    c = (c + d) & all;
    b = rotated(b, 13n) ^ a;
    d = rotated(d, 16n) ^ c;
    a = (rotated(a, 32n) + d) & all;
    c = (c + b) & all;
    return [a, rotated(b, 17n) ^ c, rotated(c, 32n), rotated(d, 21n) ^ a];
};
export const sipHash = (key, message) => {
    const [low, high] = [0, 8].map((at) => new DataView(key.buffer, key.byteOffset + at).getBigUint64(0, true));
    let state = [low ^ 0x736f6d6570736575n, high ^ 0x646f72616e646f6dn, low ^ 0x6c7967656e657261n, high ^ 0x7465646279746573n];
    const padded = new DataView(new ArrayBuffer(message.length - (message.length % 8) + 8));
    message.forEach((byte, at) => padded.setUint8(at, byte));
    padded.setUint8(padded.byteLength - 1, message.length);
    for (let at = 0; at < padded.byteLength; at += 8) {
        const word = padded.getBigUint64(at, true);
        state[3] ^= word;
        state = round(round(state));
        state[0] ^= word;
    }
    state[2] ^= 0xffn;
    for (let turn = 0; turn < 4; turn++) state = round(state);
    return state.reduce((hash, word) => hash ^ word);
};

const turned = (id, key, from, to) => {
    check(ArrayBuffer.isView(key) && key.byteLength === 16, "a key is a Uint8Array of 16 bytes");
    const digits = textOf(id).replaceAll("-", "");
    check(digits[12] === from && /[89ab]/i.test(digits[16]), `${id} is not of version ${from}`);
    const bytes = Uint8Array.from(digits.match(/../g), (byte) => parseInt(byte, 16));
    const mask = sipHash(key, [bytes[6] & 0x0f, bytes[7], bytes[8] & 0x3f, ...bytes.subarray(9)]) & ((1n << 48n) - 1n);
    const time = (BigInt(`0x${digits.slice(0, 12)}`) ^ mask).toString(16).padStart(12, "0");
    return `${time}${to}${digits.slice(13)}`.toLowerCase().replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
export const seal = (id, key) => turned(id, key, "7", "4");
export const unseal = (id, key) => turned(id, key, "4", "7");

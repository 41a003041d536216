// Compares the client with the vectors, which the C++ library made, and runs it in workers and contexts.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { blocksNear, blocksOf, Generator, identityOf, nodeOf, seedOf, state } from "../generator.js";
import * as luuid from "../index.js";
import { sipHash } from "../seal.js";

const file = pathToFileURL(process.env.LUUID_VECTORS ?? fileURLToPath(new URL("../../../test/data/vectors.tsv", import.meta.url)));
const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
const of = (kind) => lines.filter(([first]) => first === kind).map(([, ...words]) => words);

test("ids and their fields", () => {
    const number = (text) => (text === "" ? null : Number(text));
    for (const [id, version, ticks, counter, pid, node, base32] of of("id")) {
        const read = [luuid.version, luuid.ticks, luuid.counter, luuid.pid, luuid.node].map((field) => field(id));
        const right = [number(version), ticks === "" ? null : BigInt(ticks), number(counter), number(pid), number(node)];
        assert.deepEqual([id, ...read], [id, ...right]);
        if (ticks === "" || ticks >= 0) {
            // times before 1970 follow below
            assert.deepEqual(luuid.timestamp(id), (ticks && new Date(Number(BigInt(ticks) / 10000n))) || null);
        }
        assert.equal(luuid.toBase32(id), base32);
        assert.equal(luuid.fromBase32(base32), id);
    }
    const [first] = of("id").find(([id]) => luuid.ticks(id) === -0x01b21dd213814000n);
    assert.equal(luuid.timestamp(first).toISOString(), "1582-10-15T00:00:00.000Z");
    assert.equal(luuid.version("20BE0FFC314ABD537A50013A65CA76D2"), 11);
    assert.throws(() => luuid.version("20be0ffc-314a-bd53-7a50-013a65ca76d"), RangeError);
});

test("texts", () => {
    assert(of("text").length > 80);
    for (const [text, id] of of("text")) {
        if (id) {
            assert.deepEqual([text, luuid.fromBase32(luuid.toBase32(text)), luuid.shard(text, 2 ** 20)], [text, id, luuid.shard(id, 2 ** 20)]);
        } else {
            for (const read of [luuid.version, luuid.timestamp, luuid.toBase32, (text) => luuid.compare(text, text)]) {
                assert.throws(() => read(text), RangeError, text);
            }
        }
    }
    const hyphens = Array.from("0".repeat(36), (digit, at) => ([8, 13, 18, 23].includes(at) ? "-" : digit)),
        nil = hyphens.join("");
    const wrongs = [
        undefined,
        null,
        7,
        7n,
        {},
        [],
        hyphens,
        Symbol("id"),
        "\0",
        "\ud800".repeat(36),
        "0".repeat(1e6),
        nil.replace("0-", "\u0130-"),
        nil.replace("0-", "--"),
        nil.replaceAll("-", "0"),
        `${nil}\n`,
        `{${nil}`,
        `\n{${nil}}`,
    ];
    for (const wrong of wrongs) {
        for (const read of [luuid.version, (id) => luuid.shard(id, 2), luuid.toBase32, luuid.near, (id) => luuid.compare(id, id)]) {
            assert.throws(() => read(wrong), RangeError, String(wrong));
        }
    }
    for (const right of [new String(nil), { toString: () => nil }, new Proxy([nil], {})]) assert.equal(luuid.toBase32(right), "0".repeat(26));
    for (const options of [null, 7, "sequential", Symbol("options")]) {
        for (const make of [luuid.generate, (options) => luuid.near(nil, 16, options), (options) => luuid.inShard(0, 1, options)]) {
            assert.throws(() => make(options), RangeError);
        }
    }
});

test("the order", () => {
    const ids = of("id").map(([id]) => id);
    assert(ids.length > 150);
    assert.deepEqual(ids.toReversed().sort(luuid.compare), ids);
    const forms = [
        (id) => id.toUpperCase(),
        (id) => id.replaceAll("-", ""),
        (id) => `{${id}}`,
        (id) => id.replaceAll("-", "").replace(/.{4}(?=.)/g, "$&-"),
    ];
    ids.forEach((id, at) => {
        const form = forms[at % 4];
        assert.equal(luuid.compare(form(id), id), 0);
        if (at) assert.deepEqual([luuid.compare(ids[at - 1], form(id)), luuid.compare(form(id), ids[at - 1])], [-1, 1]);
    });
});

test("boundaries", () => {
    for (const [time, floor, ceiling] of of("boundary")) {
        assert.deepEqual([time, luuid.floor(BigInt(time)), luuid.ceiling(BigInt(time))], [time, floor, ceiling]);
        if (BigInt(time) % 1000n === 0n && Math.abs(time) < 8.64e18) {
            const when = new Date(Number(BigInt(time) / 1000n));
            assert.deepEqual([luuid.floor(when), luuid.ceiling(when)], [floor, ceiling]);
        }
    }
});

test("shards", () => {
    for (const [id, shards, shard] of of("shard")) {
        assert.equal(luuid.shard(id, Number(shards)), Number(shard));
    }
    for (const [shard, shards] of [
        [0, 2 ** 31],
        [1, 0],
        [-1, 2],
        [2, 2],
        [0.5, 2],
    ]) {
        assert.throws(() => luuid.inShard(shard, shards), RangeError);
    }
});

test("base 32", () => {
    for (const wrong of [undefined, null, 32, {}]) assert.throws(() => luuid.fromBase32(wrong), /is not 26 digits of base 32/);
    assert.throws(() => luuid.fromBase32(`${"0".repeat(25)}\u212a`), RangeError); // the Kelvin sign, whose lower case is k
    for (const [text, id] of of("base32")) {
        if (id) {
            assert.equal(luuid.fromBase32(text), id);
        } else {
            assert.throws(() => luuid.fromBase32(text), RangeError);
        }
    }
});

test("seeds and nodes", () => {
    for (const [millisecond, seed] of of("seed")) {
        assert.equal(seedOf(Math.floor(millisecond / 600000)), Number(seed));
    }
    for (const [machine, address, node] of of("node")) {
        assert.equal(nodeOf(machine, Number(address).toString(16).padStart(12, "0")), Number(node));
    }
});

test("sequences", () => {
    let generator,
        identity,
        made = 0;
    for (const [kind, ...words] of lines) {
        if (kind === "generator") {
            const [step, ...who] = words.map(Number);
            [generator, identity] = [new Generator(step), who];
        } else if (["next", "near", "in_shard"].includes(kind)) {
            const place = words.slice(0, -4),
                [version, now, times] = words.slice(-4).map(Number);
            const who = identityOf(version, ...identity);
            const blocks = kind === "near" ? blocksNear(place[0], Number(place[1])) : kind === "in_shard" && blocksOf(...place.map(Number));
            let last;
            for (let time = 0; time < times; time++) {
                last = blocks ? generator.nextWithin(blocks, who, now) : generator.next(place[0], who, now);
            }
            assert.deepEqual([...words.slice(0, -1), last], words);
            made++;
        }
    }
    assert(made > 70);
});

test("ids increase, in each mode and version", () => {
    for (const mode of ["variable", "sequential"]) {
        for (const version of [8, 11]) {
            const ids = Array.from({ length: 20_000 }, () => luuid.generate({ mode, version }));
            assert(ids.every((id, at) => at === 0 || luuid.compare(ids[at - 1], id) < 0));
        }
    }
});

// Calls a function at this reading of the clock, with a new generator.
const at = (reading, make) => {
    const own = state(),
        { generator } = own,
        { now } = Date;
    own.generator = new Generator(0);
    Date.now = () => reading;
    try {
        return make();
    } finally {
        Date.now = now;
        own.generator = generator;
    }
};
const makers = [
    () => luuid.generate(),
    () => luuid.generate({ mode: "sequential" }),
    () => luuid.generate({ version: 8 }),
    () => luuid.generateV7(),
    () => luuid.near("f".repeat(32)),
];

test("a clock that gives no number is refused, and stops nothing", () => {
    for (const make of makers) {
        for (const reading of [
            undefined,
            null,
            NaN,
            Infinity,
            -Infinity,
            "1795219887043",
            new Date(),
            {},
            2 ** 48,
            Number.MAX_VALUE,
            Symbol("now"),
        ]) {
            assert.throws(() => at(reading, make), { name: "TypeError", message: /^Date\.now\(\) returned .*finite number/ }, String(reading));
            const { now } = Date,
                before = now();
            Date.now = () => reading;
            assert.throws(make, TypeError);
            Date.now = now;
            const made = luuid.timestamp(make());
            assert(made >= before && made <= before + 600_000, made);
        }
    }
});

test("a clock before 1970 is one at 1970, a fraction of a millisecond is none", () => {
    for (const make of makers) {
        for (const reading of [-1, -20_000, Date.UTC(1960, 0), -0.5, 0, 0.999, -Number.MAX_VALUE]) {
            assert.equal(luuid.timestamp(at(reading, make)).getTime(), 0, reading);
        }
        for (const reading of [1_795_219_887_043, 1_795_219_887_043.25, 1_795_219_887_043.99]) {
            assert.equal(luuid.timestamp(at(reading, make)).getTime(), 1_795_219_887_043, reading);
        }
        assert.equal(luuid.timestamp(at(2 ** 48 - 2, make)).getTime(), 2 ** 48 - 2);
    }
});

test("version 7, as the server's generator makes it", () => {
    let generator,
        made = 0;
    for (const [kind, ...words] of lines) {
        if (kind === "generator7") generator = new Generator(0);
        if (kind !== "next7" && kind !== "at7") continue;
        const [ticks, random] = words.slice(0, 2).map(BigInt),
            stamp = ((ticks / 10_000n) << 12n) | (((ticks % 10_000n) * 4096n) / 10_000n);
        assert.deepEqual([...words.slice(0, 2), kind === "next7" ? generator.next7(stamp, random) : generator.next7At(stamp, () => random)], words);
        made++;
    }
    assert(made > 40);
});

test("version 7 increases whatever the clock does, and has the clock's millisecond", () => {
    const { now } = Date;
    let clock = now(),
        last = luuid.generateV7();
    Date.now = () => clock;
    try {
        for (let n = 0; n < 20_000; n++) {
            clock += n % 100 ? Math.floor(Math.random() * 3) : Math.floor((Math.random() - 0.5) * 7_200_000);
            const id = luuid.generateV7();
            assert(luuid.compare(last, id) < 0 && last < id);
            assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
            if (clock > luuid.timestamp(last).getTime()) assert.equal(luuid.timestamp(id).getTime(), clock);
            last = id;
        }
    } finally {
        Date.now = now;
        state().generator = new Generator(0); // whose version 7 has not seen a later time
    }
});

test("version 7 of a given time", () => {
    const times = [0n, 1n, 999n, 1000n, 1_795_219_887_043_210n, 1000n * (2n ** 48n - 1n) + 999n];
    for (const time of times) {
        const ids = Array.from({ length: 1000 }, () => luuid.generateV7(time));
        assert(ids.every((id, at) => luuid.version(id) === 7 && luuid.ticks(id) === (time / 1000n) * 10_000n && (at === 0 || ids[at - 1] < id)));
        assert.equal(parseInt(ids[0].slice(15, 18), 16), Math.floor((Number(time % 1000n) * 4096) / 1000));
    }
    const tails = Array.from({ length: 1000 }, (_, n) => luuid.generateV7(BigInt(n) * 1_000_000n).slice(19));
    const ascents = tails.filter((tail, n) => n && tails[n - 1] < tail).length;
    assert(new Set(tails).size === 1000 && ascents > 400 && ascents < 600, "ids have no order across times");
    const when = new Date("2026-11-01T12:00:00.123Z");
    assert.deepEqual(luuid.timestamp(luuid.generateV7(when)), when);
    for (const wrong of [-1n, 1000n * 2n ** 48n, new Date(-1)]) {
        assert.throws(() => luuid.generateV7(wrong), RangeError);
    }
    for (const wrong of [7, "2026-11-01", new Date(NaN), null]) {
        assert.throws(() => luuid.generateV7(wrong), TypeError);
    }
});

test("seals, as UUIDv47 makes and opens them", () => {
    const sealed = readFileSync(new URL("sealed.tsv", file), "utf8").split("\n");
    const bytes = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
    let made = 0;
    for (const [kind, hex, ...words] of sealed.map((line) => line.split("\t"))) {
        if (kind === "siphash")
            assert.equal(
                sipHash(bytes(hex), [...bytes(words[0])])
                    .toString(16)
                    .padStart(16, "0"),
                words[1],
            );
        if (kind === "unseal") assert.throws(() => luuid.unseal(words[0], bytes(hex)), { name: "RangeError", message: /is not of version 4$/ });
        if (kind === "seal" && !words[1])
            assert.throws(() => luuid.seal(words[0], bytes(hex)), { name: "RangeError", message: /is not of version 7$/ });
        if (kind === "seal" && words[1]) {
            assert.equal(luuid.seal(words[0], bytes(hex)), words[1]);
            assert.equal(luuid.unseal(words[1].toUpperCase(), Buffer.from(hex, "hex")), words[0]);
            made++;
        }
    }
    assert(made > 30);
    for (let n = 0; n < 1000; n++) {
        const key = crypto.getRandomValues(new Uint8Array(16)),
            id = luuid.generateV7();
        assert.equal(luuid.unseal(luuid.seal(`{${id.toUpperCase()}}`, key), key), id);
    }
    for (const key of [undefined, "0".repeat(16), new Uint8Array(15), new Uint8Array(17), new ArrayBuffer(16), Array(16).fill(0)]) {
        assert.throws(() => luuid.seal(luuid.generateV7(), key), { name: "RangeError", message: /Uint8Array of 16 bytes$/ });
    }
});

test("errors say what is wanted", () => {
    for (const bound of [luuid.floor, luuid.ceiling]) {
        for (const wrong of [Date.now(), "2026-11-01", new Date(NaN), null, undefined, {}, Symbol("when")]) {
            assert.throws(() => bound(wrong), { name: "TypeError", message: /a valid Date, or a bigint of microseconds since 1970$/ });
        }
    }
    assert.throws(() => [1].map(luuid.generate), { name: "RangeError", message: /write \(\) => generate\(\)$/ });
    const id = luuid.generate();
    for (const [make, name] of [
        [() => luuid.near(id, 16, { mode: "sequential" }), "mode"],
        [() => luuid.inShard(0, 2, { mode: "variable" }), "mode"],
        [() => luuid.near(id, 16, { at: new Date() }), "at"],
        [() => luuid.generate({ at: 0n }), "at"],
        [() => luuid.generate({ versoin: 8 }), "versoin"],
    ]) {
        assert.throws(make, { name: "RangeError", message: new RegExp(`^option ${name}: `) });
    }
    for (const version of [7, 9, 0, "8"]) {
        for (const make of [luuid.generate, (options) => luuid.near(id, 16, options), (options) => luuid.inShard(0, 1, options)]) {
            assert.throws(() => make({ version }), /^RangeError: version .*: a version is 8 or 11, .*; generateV7\(\) generates version 7$/);
        }
    }
    assert.throws(() => [1].map(luuid.generateV7), { name: "TypeError", message: /^1 is no time/ });
    luuid.near(id, 16, { mode: undefined });
});

test("fields are those of the process", () => {
    const before = Date.now(),
        id = luuid.generate({ version: 8, node: 0x1230567 });
    assert.deepEqual([luuid.version(id), luuid.pid(id), luuid.node(id)], [8, process.pid % 65536, 0x1230567]);
    assert(luuid.timestamp(id) >= before);
    assert.equal(luuid.node(luuid.generate()), state().node);
    for (const wrong of [{ mode: "odd" }, { version: 4 }, { node: 2 ** 28 }, { node: NaN }, "sequential"]) {
        assert.throws(() => luuid.generate(wrong), RangeError);
    }
});

test("placed ids are in their place", () => {
    const parent = luuid.generate(),
        first = (id, bits) => BigInt(`0x${id.replaceAll("-", "")}`) >> BigInt(128 - bits);
    for (const bits of [0, 5, 16, 20, 32]) {
        for (let n = 0; n < 100; n++) {
            assert.equal(first(luuid.near(parent, bits), bits), first(parent, bits));
        }
    }
    assert.throws(() => luuid.near(parent, 33), RangeError);
    for (const shards of [1, 3, 16, 100_000]) {
        assert.equal(luuid.shard(luuid.inShard(Math.floor(shards / 2), shards), shards), Math.floor(shards / 2));
    }
});

test("neighbors are on the shard", () => {
    const parent = luuid.generate();
    for (let bits = 0; bits <= 16; bits++) {
        assert.equal(luuid.shard(luuid.near(parent), 2 ** bits), luuid.shard(parent, 2 ** bits));
    }
    for (const shards of [3, 5, 1000, 65_535]) {
        assert.equal(luuid.shard(luuid.inShard(luuid.shard(parent, shards), shards), shards), luuid.shard(parent, shards));
    }
});

test("copies of the module differ", async () => {
    const copies = [luuid, await import("../generator.js?copy")];
    for (const make of [({ generate }) => generate(), ({ generate }) => generate({ mode: "sequential" }), ({ near }) => near("f".repeat(32), 32)]) {
        const made = Array.from({ length: 40_000 }, (_, n) => make(copies[n % 2]));
        assert.equal(new Set(made).size, made.length);
    }
});

test("copies in other contexts differ, and where nothing can be added to the globals", () => {
    const code = `import { readFileSync } from "node:fs";
        import vm from "node:vm";
        const folder = ${JSON.stringify(new URL("../", import.meta.url).href)};
        const copies = [];
        for (let n = 0; n < 3; n++) {
            // As a test runner does, whose contexts have a copy of process.
            const context = vm.createContext({ crypto, process: { ...process, getBuiltinModule: process.getBuiltinModule } });
            const modules = {};
            const moduleOf = (name) => modules[name] ??= new vm.SourceTextModule(readFileSync(new URL(name, folder), "utf8"), { context });
            const copy = moduleOf("index.js");
            await copy.link(moduleOf);
            await copy.evaluate();
            copies.push(copy.namespace);
        }
        const ids = Array.from({ length: 30_000 }, (_, n) => copies[n % 3].generate({ mode: "sequential" }));
        if (new Set(ids).size < ids.length) process.exit(1);
        delete globalThis.process;
        Object.freeze(globalThis);
        const { generate } = await import(folder + "index.js");
        generate();`;
    execFileSync(process.execPath, ["--no-warnings", "--experimental-vm-modules", "--input-type=module", "--eval", code]);
});

test("forms of the state that differ are left alone, and so are ids of equal counters", () => {
    // In processes of their own, where one or the other generates first.
    const url = (name) => JSON.stringify(new URL(name, import.meta.url).href);
    const forms = `import { readFileSync } from "node:fs";
        const source = readFileSync(new URL(${url("../generator.js")}), "utf8")
            .replace('"./reading.js"', '${url("../reading.js")}').replace('"./seal.js"', '${url("../seal.js")}');
        const changed = source.replace('"luuid 1"', '"luuid 2"').replaceAll("own.generator", "own.another").replace("generator: new", "another: new")
            .replace("{ generator } = state()", "{ another: generator } = state()");
        const forms = [];
        for (const text of [source, changed, source]) forms.push(await import("data:text/javascript," + encodeURIComponent(text + "//" + forms.length)));
        if (process.argv.includes("later")) forms.reverse();
        const clock = Date.now();
        Date.now = () => clock;
        const ids = Array.from({ length: 9_000 }, (_, n) => forms[n % 3].generate({ mode: "sequential" }));
        const nodes = new Set(ids.map((id) => id.slice(15, 23)));
        if (new Set(ids).size < ids.length || nodes.size !== 2) throw new Error(Array.from(nodes).join());`;
    for (const order of ["first", "later"]) execFileSync(process.execPath, ["--input-type=module", "--eval", forms, order]);
});

test("the package exports nothing else", async () => {
    const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    assert.equal(exports["."].default, "./index.js");
    const declared = readFileSync(new URL("../index.d.ts", import.meta.url), "utf8").matchAll(/^export function (\w+)/gm);
    assert.deepEqual(Object.keys(luuid), Array.from(declared, ([, name]) => name).sort());
});

test("an import draws nothing, and asks for nothing", () => {
    const draws = `let drawn = 0;
        const { crypto } = globalThis;
        Object.defineProperty(globalThis, "crypto", { get() { drawn++; return crypto; } });
        process.getBuiltinModule = () => { drawn++; };
        const { generate } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
        if (drawn > 0 || (generate(), drawn) === 0) process.exit(1);`;
    execFileSync(process.execPath, ["--input-type=module", "--eval", draws]);
});

test("workers differ", async () => {
    const code = `import(${JSON.stringify(new URL("../index.js", import.meta.url).href)}).then(({ generate }) =>
        require("node:worker_threads").parentPort.postMessage(Array.from({ length: 100000 }, () => generate())))`;
    const made = await Promise.all(
        Array.from(
            { length: 8 },
            () =>
                new Promise((resolve, reject) => {
                    new Worker(code, { eval: true }).once("message", resolve).once("error", reject);
                }),
        ),
    );
    assert.equal(new Set(made.flat()).size, 800_000);
    assert.equal(new Set(made.map(([id]) => luuid.node(id))).size, 8);
});

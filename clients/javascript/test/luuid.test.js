// The client against the vectors, which alone tell what is right, and over workers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import * as luuid from "../index.js";

const { Generator, identityOf, seedOf, nodeOf, blocksNear, blocksOf, state } = luuid.internals;
const file = process.env.LUUID_VECTORS ?? new URL("../../../test/data/vectors.tsv", import.meta.url);
const lines = readFileSync(file, "utf8").trimEnd().split("\n").map((line) => line.split("\t"));
const of = (kind) => lines.filter(([first]) => first === kind).map(([, ...words]) => words);

test("ids and their fields", () => {
    const number = (text) => text === "" ? null : Number(text);
    for (const [id, version, ticks, counter, pid, node, base32] of of("id")) {
        const read = [luuid.version, luuid.ticks, luuid.counter, luuid.pid, luuid.node].map((field) => field(id));
        const right = [number(version), ticks === "" ? null : BigInt(ticks), number(counter), number(pid), number(node)];
        assert.deepEqual([id, ...read], [id, ...right]);
        if (ticks === "" || ticks >= 0) { // those before 1970 are below
            assert.deepEqual(luuid.timestamp(id), ticks && new Date(Number(BigInt(ticks) / 10000n)) || null);
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
    assert(of("text").length > 200);
    for (const [text, id] of of("text")) {
        if (id) {
            assert.deepEqual([text, luuid.fromBase32(luuid.toBase32(text)), luuid.shard(text, 2 ** 20)], [text, id, luuid.shard(id, 2 ** 20)]);
        } else {
            for (const read of [luuid.version, luuid.timestamp, luuid.toBase32, (text) => luuid.compare(text, text)]) {
                assert.throws(() => read(text), RangeError, text);
            }
        }
    }
    const hyphens = Array.from("0".repeat(36), (digit, at) => [8, 13, 18, 23].includes(at) ? "-" : digit), nil = hyphens.join("");
    const wrongs = [undefined, null, 7, 7n, {}, [], hyphens, Symbol("id"), "\0", "\ud800".repeat(36), "0".repeat(1e6), nil.replace("0-", "\u0130-"),
        nil.replace("0-", "--"), nil.replaceAll("-", "0"), `${nil}\n`, `{${nil}`, `\n{${nil}}`];
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
    assert(ids.length > 400);
    assert.deepEqual(ids.toReversed().sort(luuid.compare), ids);
    const forms = [(id) => id.toUpperCase(), (id) => id.replaceAll("-", ""), (id) => `{${id}}`, (id) => id.replaceAll("-", "").replace(/.{4}(?=.)/g, "$&-")];
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
    for (const [shard, shards] of [[0, 2 ** 31], [1, 0], [-1, 2], [2, 2], [0.5, 2]]) {
        assert.throws(() => luuid.inShard(shard, shards), RangeError);
    }
});

test("base 32", () => {
    assert.throws(() => luuid.fromBase32(`${"0".repeat(25)}\u212a`), RangeError); // lower-cased it is k
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
    let generator, identity, made = 0;
    for (const [kind, ...words] of lines) {
        if (kind === "generator") {
            const [step, ...who] = words.map(Number);
            [generator, identity] = [new Generator(step), who];
        } else if (["next", "near", "in_shard"].includes(kind)) {
            const place = words.slice(0, -4), [version, now, times] = words.slice(-4).map(Number);
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
    assert(made > 100);
});

test("ids increase, in each mode and version", () => {
    for (const mode of ["variable", "sequential"]) {
        for (const version of [8, 11]) {
            const ids = Array.from({ length: 20_000 }, () => luuid.generate({ mode, version }));
            assert(ids.every((id, at) => at === 0 || luuid.compare(ids[at - 1], id) < 0));
        }
    }
});

test("a clock before 1970", () => {
    assert.equal(new Generator(0).next("variable", identityOf(11, 1, 1), -20_000).slice(9), "0001-b000-0001-ffffffffb1e0");
});

test("fields are those of the process", () => {
    const before = Date.now(), id = luuid.generate({ version: 8, node: 0x1230567 });
    assert.deepEqual([luuid.version(id), luuid.pid(id), luuid.node(id)], [8, process.pid % 65536, 0x1230567]);
    assert(luuid.timestamp(id) >= before);
    assert.equal(luuid.node(luuid.generate()), luuid.internals.state().node);
    for (const wrong of [{ mode: "odd" }, { version: 7 }, { node: 2 ** 28 }, { node: NaN }, "sequential"]) {
        assert.throws(() => luuid.generate(wrong), RangeError);
    }
});

test("placed ids are in their place", () => {
    const parent = luuid.generate(), first = (id, bits) => BigInt(`0x${id.replaceAll("-", "")}`) >> BigInt(128 - bits);
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
    const copies = [luuid, await import("../index.js?copy")];
    for (const make of [({ generate }) => generate(), ({ generate }) => generate({ mode: "sequential" }), ({ near }) => near("f".repeat(32), 32)]) {
        const made = Array.from({ length: 40_000 }, (_, n) => make(copies[n % 2]));
        assert.equal(new Set(made).size, made.length);
    }
});

test("copies in other contexts differ, and where nothing can be added to the globals", () => {
    const code = `import { readFileSync } from "node:fs";
        import vm from "node:vm";
        const source = readFileSync(new URL(${JSON.stringify(new URL("../index.js", import.meta.url).href)}), "utf8");
        const copies = [];
        for (let n = 0; n < 3; n++) {
            // As a test runner does, with a process that is a copy.
            const context = vm.createContext({ crypto, TextEncoder, process: { ...process, getBuiltinModule: process.getBuiltinModule } });
            const copy = new vm.SourceTextModule(source, { context });
            await copy.link(() => {});
            await copy.evaluate();
            copies.push(copy.namespace);
        }
        const ids = Array.from({ length: 30_000 }, (_, n) => copies[n % 3].generate({ mode: "sequential" }));
        if (new Set(ids).size < ids.length) process.exit(1);
        delete globalThis.process;
        Object.freeze(globalThis);
        const { generate } = await import("data:text/javascript," + encodeURIComponent(source));
        generate();`;
    execFileSync(process.execPath, ["--no-warnings", "--experimental-vm-modules", "--input-type=module", "--eval", code]);
});

test("the state of another form of the module is left alone", async () => {
    for (const home of [process, globalThis]) home[Symbol.for("luuid 2")] = Object.freeze({ pid: process.pid, generator: null });
    const [one, other] = [luuid, await import("../index.js?other")];
    assert.notEqual(one.generate(), other.generate());
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
    const made = await Promise.all(Array.from({ length: 8 }, () => new Promise((resolve, reject) => {
        new Worker(code, { eval: true }).once("message", resolve).once("error", reject);
    })));
    assert.equal(new Set(made.flat()).size, 800_000);
    assert.equal(new Set(made.map(([id]) => luuid.node(id))).size, 8);
});

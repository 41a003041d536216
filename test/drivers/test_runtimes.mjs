// The JavaScript client where it runs: other runtimes, edge workers, snapshots, and bundled.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";

const root = dirname(dirname(dirname(process.env.LUUID_IDS)));
const client = join(root, "clients/javascript");
const luuid = await import(join(client, "index.js"));
const program = (name) => join("../node_modules/.bin", name);
const started = (file, args, options) => promisify(execFile)(file, args, { maxBuffer: 1 << 28, timeout: 60_000, ...options });
const linesOf = ({ stdout }) => stdout.trim().split("\n");
const areNew = (ids) => {
    assert.equal(new Set(ids).size, ids.length);
    assert(ids.every((id) => luuid.version(id) === 11));
};

const bundled = async (name, source, options = {}) => {
    const { build } = await import("esbuild");
    writeFileSync(`${name}.source.mjs`, source);
    await build({ entryPoints: [`${name}.source.mjs`], bundle: true, outfile: name, format: "esm", logLevel: "error", ...options });
    return readFileSync(name, "utf8");
};

// Each writes the program entry, bundled and minified, as [name].js of the folder.
const bundlers = {
    esbuild: async (entry, outdir) => {
        const { build } = await import("esbuild");
        await build({ entryPoints: [entry], outdir, bundle: true, minify: true, format: "esm", logLevel: "error" });
    },
    Vite: async (entry, outDir) => {
        const { build } = await import("vite");
        const rolldownOptions = { input: entry, output: { entryFileNames: "[name].js" } };
        await build({ configFile: false, logLevel: "error", build: { outDir, emptyOutDir: false, modulePreload: false, rolldownOptions } });
    },
    webpack: async (entry, folder) => {
        const { default: webpack } = await import("webpack");
        const config = { mode: "production", entry, output: { path: join(process.cwd(), folder), filename: "[name].js" } };
        const done = await promisify(webpack)({ ...config, entry: { [entry.slice(2, -4)]: entry } });
        assert(!done.hasErrors() && !done.hasWarnings(), done.toString());
    },
};
// The README's figures are in kB.
const readme = readFileSync(join(client, "README.md"), "utf8");
const [, ofShard, ofV7, ofAll] = readme.match(/`shard` alone takes ([\d.]+) kB, `generateV7` ([\d.]+) kB, and all of it ([\d.]+) kB/);
const programs = {
    shard: [ofShard, 'import { shard } from "luuid"; console.log(shard("20be0ffc-314a-bd53-7a50-013a65ca76d2", 16));', /^2$/],
    v7: [ofV7, 'import { generateV7 } from "luuid"; console.log(generateV7());', /^[\da-f]{8}-[\da-f]{4}-7/],
    all: [ofAll, 'import * as luuid from "luuid"; for (const name in luuid) console.log(name, luuid[name]);', /^generateV7 /m],
};
for (const [name, bundle] of Object.entries(bundlers)) {
    test(`what ${name} bundles runs, and is as small as the README says`, async () => {
        mkdirSync(name);
        writeFileSync(`${name}/package.json`, '{ "type": "module" }');
        for (const [program, [kilobytes, source, expected]] of Object.entries(programs)) {
            writeFileSync(`${program}.mjs`, source);
            await bundle(`./${program}.mjs`, name);
            assert.match((await started(process.execPath, [`${name}/${program}.js`])).stdout.trim(), expected);
            const { size } = statSync(`${name}/${program}.js`);
            assert(Math.abs(size - 1000 * kilobytes) < 300, `${program} has ${size} bytes, not ${kilobytes} kB`);
        }
    });
}

test("the versions that the clients' READMEs name are those that run", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "test/drivers/package.json"), "utf8"));
    const named = [...readme.matchAll(/(Bun|Deno|esbuild|jsdom|Vite|webpack|workerd) (\d+\.[\d.]*\d)/g)].map(([, name, version]) => [name.toLowerCase(), version]);
    assert.deepEqual(named.map(([name]) => name).sort(), ["bun", "deno", "esbuild", "jsdom", "vite", "webpack", "workerd"]);
    for (const [name, version] of named) assert.equal(version, dependencies[name], name);
    const workflow = readFileSync(join(root, ".github/workflows/test.yml"), "utf8");
    const [python, node] = [...workflow.matchAll(/version: \[(.*)\]/g)].map(([, list]) => list.replaceAll("'", "").split(", "));
    assert(readme.includes(`Node.js ${node.slice(0, -1).join(", ")} and ${node.at(-1)}.`));
    const ofPython = readFileSync(join(root, "clients/python/README.md"), "utf8");
    assert(ofPython.includes(`Python ${python[0]} to ${python.at(-2)}, and 3.14 without the GIL.`) && python.at(-1) === "3.14t");
});

const make = (count) => `
    import { generate } from "luuid";
    const ids = Array.from({ length: ${count} }, () => generate());
    console.log(ids.join("\\n"));`;

for (const [name, args] of [["deno", ["run", "--no-prompt"]], ["bun", ["run"]]]) {
    test(`${name}, without a permission`, async () => {
        await bundled(`${name}.mjs`, make(100_000));
        const made = await Promise.all([0, 1].map(() => started(program(name), [...args, `${name}.mjs`], { env: { ...process.env, DENO_DIR: "deno" } })));
        areNew(made.flatMap(linesOf));
    });
}

test("React Native, which has no more than its polyfill of random bits, compiled to older JavaScript", async () => {
    const { default: typescript } = await import("typescript");
    const code = await bundled("native.js", `export * from "luuid";`, { format: "iife", globalName: "luuid", target: "es2020" });
    const getRandomValues = (array) => {
        if (array instanceof native.BigUint64Array) throw new TypeError("Expected an integer array");
        return crypto.getRandomValues(array);
    };
    const native = createContext({ crypto: { getRandomValues }, performance: { now: () => performance.now() } });
    native.BigUint64Array = runInContext("BigUint64Array", native);
    // ** becomes Math.pow(), which takes no bigint.
    runInContext(typescript.transpile(code, { target: typescript.ScriptTarget.ES2015 }), native);
    for (const [version, call] of [[7, "generateV7()"], [8, "generate({ version: 8 })"], [11, "generate()"]]) {
        const ids = JSON.parse(runInContext(`JSON.stringify(Array.from({ length: 1000 }, () => luuid.${call}))`, native));
        assert.equal(new Set(ids).size, 1000);
        assert(ids.every((id) => luuid.version(id) === version && Math.abs(luuid.timestamp(id) - Date.now()) < 600_000));
    }
    assert.notEqual(runInContext("luuid.node(luuid.generate())", native), luuid.node(luuid.generate()));
    assert.equal(luuid.version(runInContext("luuid.seal(luuid.generateV7(), new Uint8Array(16))", native)), 4);
});

test("Node.js with the permission model, and in a cluster", async () => {
    await bundled("permission.mjs", make(1000));
    const permission = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";
    areNew(linesOf(await started(process.execPath, ["--no-warnings", permission, `--allow-fs-read=${process.cwd()}`, "permission.mjs"])));
    await bundled("cluster.mjs", `
        import cluster from "node:cluster";
        import { generate } from "luuid";
        generate();
        if (cluster.isPrimary) for (let n = 0; n < 4; n++) cluster.fork().on("message", (ids) => console.log(ids));
        else process.send(Array.from({ length: 25_000 }, () => generate({ mode: "sequential" })).join("\\n"), () => process.exit());`,
    { platform: "node" });
    areNew(linesOf(await started(process.execPath, ["cluster.mjs"])));
});

test("two servers of a snapshot, with the process id of the one that made it", async () => {
    await bundled("snapshot.js", `
        import { generate, pid } from "luuid";
        import { startupSnapshot } from "node:v8";
        generate();
        startupSnapshot.setDeserializeMainFunction(() => {
            for (let n = 0; n < 1000; n++) console.log(generate({ mode: "sequential", node: 0 }), generate({ node: 0 }), process.pid & 65535);
        });`, { platform: "node", format: "cjs" });
    // In a namespace of its own each is process 1.
    const alone = process.getuid() === 0 ? ["unshare", "--pid", "--fork", process.execPath] : [process.execPath];
    const run = (...args) => started(alone[0], [...alone.slice(1), "--snapshot-blob", "snapshot.blob", ...args]);
    await run("--build-snapshot", "snapshot.js");
    const made = (await Promise.all([run(), run()])).map((answer) => linesOf(answer).map((line) => line.split(" ")));
    assert(made.flat().every(([, id, pid]) => luuid.pid(id) === Number(pid)));
    areNew(made.flat().map(([, id]) => id));
    assert.equal(new Set(made.map(([[, id]]) => luuid.counter(id))).size, 2);
});

test("workerd, which permits nothing before a request", async () => {
    mkdirSync("worker");
    await bundled("worker/worker.js", `
        import { generate } from "luuid";
        export default { async fetch() { return new Response(Array.from({ length: 100_000 }, () => generate()).join("\\n")); } };`);
    const port = await new Promise((resolve) => {
        const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => resolve(port)); });
    });
    writeFileSync("worker/config.capnp", `using Workerd = import "/workerd/workerd.capnp";
        const config :Workerd.Config = (services = [(name = "main", worker = .worker)],
            sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
        const worker :Workerd.Worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-11-01");`);
    const workerd = spawn(program("workerd"), ["serve", "worker/config.capnp"], { stdio: ["ignore", "inherit", "inherit"] });
    try {
        let answer;
        for (let turn = 0; !answer && turn < 100; turn++) {
            answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => new Promise((resolve) => { setTimeout(resolve, 100); }));
        }
        assert.equal(answer.status, 200);
        areNew([...(await answer.text()).split("\n"), ...(await (await fetch(`http://127.0.0.1:${port}/`)).text()).split("\n")]);
    } finally {
        workerd.kill();
    }
});

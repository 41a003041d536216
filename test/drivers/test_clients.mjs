// The JavaScript client: its own tests, and what people get of it. test_clients.py has its ids in a server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

const root = dirname(dirname(dirname(process.env.LUUID_IDS)));
process.env.LUUID_VECTORS = join(root, "test/data/vectors.tsv");
// Installs it by the commands of its README, beside the packages that it may use.
const [, commands] = readFileSync(join(root, "clients/javascript/README.md"), "utf8").match(/^```sh\n(npm .*?)```/ms);
mkdirSync("project");
writeFileSync("project/package.json", "{}");
const shell = (command) => execFileSync("sh", ["-ec", command],
    { cwd: "project", env: { ...process.env, npm_config_audit: "false", npm_config_offline: "true" }, stdio: ["ignore", "ignore", "inherit"] });
shell(commands.replace("./clients/javascript", (path) => `'${join(root, path)}'`));
const installed = "project/node_modules/luuid";
const luuid = await import(join(process.cwd(), installed, "index.js"));

await import(join(root, "clients/javascript/test/luuid.test.js"));

test("a later install, and a clean one, find it and Drizzle", () => {
    for (const command of ["npm install", "rm -r node_modules && npm ci"]) {
        shell(command);
        shell(`test ! -L node_modules/luuid && node -e 'import("luuid/drizzle").then(({ luuid }) => luuid("id"))'`);
    }
});

test("its tarball", () => {
    const listed = execFileSync("tar", ["tzf", "project/luuid-1.0.0.tgz"], { encoding: "utf8" }).trim().split("\n").sort();
    assert.deepEqual(listed, ["LICENSE", "README.md", "drizzle.d.ts", "drizzle.js", "generator.js", "index.d.ts", "index.js", "package.json",
        "pg.d.ts", "pg.js", "reading.js", "seal.js"].map((name) => `package/${name}`));
});

test("publint and arethetypeswrong find nothing in it", () => {
    // Its README says what a CommonJS file in TypeScript needs.
    for (const [name, ...options] of [["publint", "--strict"], ["attw", "--profile", "esm-only"]]) {
        execFileSync(`../node_modules/.bin/${name}`, ["project/luuid-1.0.0.tgz", ...options], { stdio: ["ignore", process.stderr, "inherit"] });
    }
});

test("pyright finds nothing in the Python client", () => {
    // SQLAlchemy has types from 2.0 on.
    const files = readdirSync(join(root, "clients/python/luuid")).filter((file) => file.endsWith(".py") && file !== "sqlalchemy.py");
    execFileSync("../node_modules/.bin/pyright", ["--pythonpath", "/usr/bin/python3", ...files.map((file) => join(root, "clients/python/luuid", file))],
        { stdio: ["ignore", process.stderr, "inherit"] });
});

test("its types", () => {
    const check = (...files) => execFileSync(process.execPath, ["../node_modules/typescript/bin/tsc", "--noEmit", "--strict",
        "--module", "nodenext", "--target", "es2022", ...files], { stdio: ["ignore", process.stderr, "inherit"] });
    check(`${installed}/index.d.ts`, `${installed}/pg.d.ts`);
    // Drizzle's own types, for every database, do not pass.
    check("--skipLibCheck", "types.ts");
});

test("require", { skip: process.features.require_module ? false : "this Node.js requires no ES module" }, () => {
    assert.equal(createRequire(join(process.cwd(), "project/"))("luuid").generate, luuid.generate);
});

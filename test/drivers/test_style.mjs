// The clients' style: Python as ruff lints and formats it, JavaScript as prettier formats it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import ruff from "@astral-sh/ruff-wasm-nodejs";
import prettier from "prettier";

const root = dirname(dirname(dirname(process.env.LUUID_IDS)));
const filesOf = (folder, ending) => readdirSync(join(root, folder)).filter((name) => name.endsWith(ending)).map((name) => join(root, folder, name));

const settings = JSON.parse(execFileSync("/usr/bin/python3", ["-c",
    "import json, sys, tomllib; print(json.dumps(tomllib.load(sys.stdin.buffer)['tool']['ruff']))"],
{ input: readFileSync(join(root, "clients/python/pyproject.toml")) }));
const workspace = new ruff.Workspace(settings, ruff.PositionEncoding.Utf32);
const client = ["luuid", "tests"].flatMap((folder) => filesOf(`clients/python/${folder}`, ".py"));
for (const file of [...client, ...filesOf("test/drivers", ".py")]) {
    test(file.slice(root.length + 1), () => {
        const text = readFileSync(file, "utf8");
        assert.deepEqual(workspace.check(text).map(({ code, message, start_location: { row } }) => `${row}: ${code} ${message}`), []);
        if (client.includes(file)) assert.equal(workspace.format(text), text);
    });
}

for (const file of [...filesOf("clients/javascript", "s"), ...filesOf("clients/javascript/test", ".js")]) {
    test(file.slice(root.length + 1), async () => {
        const text = readFileSync(file, "utf8");
        assert.equal(await prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file }), text);
    });
}

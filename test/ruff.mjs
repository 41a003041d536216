// Checks Python as `ruff check` and, for the client, `ruff format --check` do; npm has ruff as a library, and not as a command.
// Run by test/style: node ruff.mjs SETTINGS FILE...
import { readFileSync } from "node:fs";

import ruff from "@astral-sh/ruff-wasm-nodejs";

const [settings, ...files] = process.argv.slice(2);
const workspace = new ruff.Workspace(JSON.parse(settings), ruff.PositionEncoding.Utf32);
for (const file of files) {
    const text = readFileSync(file, "utf8");
    const wrong = workspace.check(text).map(({ code, message, start_location: { row } }) => `${row}: ${code} ${message}`);
    if (file.startsWith("clients/") && workspace.format(text) !== text) wrong.push("0: would be formatted otherwise");
    for (const each of wrong) console.error(`${file}:${each}`);
    process.exitCode ||= wrong.length && 1;
}

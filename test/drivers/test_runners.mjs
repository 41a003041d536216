// The JavaScript client under Jest and Vitest, in Node.js's environment and in those of a browser: registries that are reset,
// timers and clocks that are fakes, and globals that are missing.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const root = dirname(dirname(dirname(process.env.LUUID_IDS)));
const bodyOf = (fake) => `
test("ids are new, in order, and tell the time, after each reset of the registry", async () => {
    const ids = [];
    for (let turn = 0; turn < 3; turn++) {
        const { compare, generate, generateV7, near, timestamp } = await import("luuid");
        const made = [generate(), generate({ mode: "sequential" }), generate({ version: 8 }), generateV7(), near("f".repeat(32))];
        for (const id of made) expect(Math.abs(timestamp(id).getTime() - Date.now())).toBeLessThan(600_000);
        ids.push(...made, ...Array.from({ length: 1000 }, () => generate()));
        expect(ids.slice(-1000).every((id, at, all) => at === 0 || compare(all[at - 1], id) < 0)).toBe(true);
        ${fake}.resetModules();
    }
    expect(new Set(ids).size).toBe(ids.length);
});

test("fake timers are followed, and real ones again", async () => {
    const { generate, timestamp } = await import("luuid");
    for (const year of [1960, 1970, 2030, 2001]) {
        ${fake}.useFakeTimers();
        ${fake}.setSystemTime(Date.UTC(year, 5));
        expect(timestamp(generate()).getTime()).toBe(Math.max(Date.UTC(year, 5), 0));
        ${fake}.useRealTimers();
        expect(Math.abs(timestamp(generate()).getTime() - Date.now())).toBeLessThan(600_000);
    }
});

test("a bare mock of the clock is refused, and stops nothing", async () => {
    const { generate, generateV7, timestamp } = await import("luuid");
    const makers = [generateV7, generate, () => generate({ version: 8 })];
    const mock = ${fake}.spyOn(Date, "now").mockReturnValue(undefined);
    for (const make of makers) expect(make).toThrow("Date.now() returned undefined");
    mock.mockRestore();
    for (const make of makers) expect(Math.abs(timestamp(make()).getTime() - Date.now())).toBeLessThan(600_000);
});
`;
const jest = (project, ...options) => ({
    begins: 'import { expect, jest, test } from "@jest/globals";', fake: "jest", environments: ["node", "jsdom"], project,
    run: (environment) => [options, "jest/bin/jest.js", ["--env", environment, "--ci", "--watchman=false"]],
});
const runners = {
    jest: jest({ type: "module", jest: { transform: {} } }, "--experimental-vm-modules", "--no-warnings"),
    "jest, compiled": jest({ jest: { transform: { ".": "<rootDir>/compile.cjs" }, transformIgnorePatterns: ["/node_modules/(?!luuid/)"] } }),
    vitest: {
        begins: 'import { expect, test, vi } from "vitest";', fake: "vi", environments: ["node", "jsdom", "happy-dom"], project: { type: "module" },
        run: (environment) => [[], "vitest/vitest.mjs", ["run", "--environment", environment]],
    },
};

for (const [name, { begins, fake, environments, project, run }] of Object.entries(runners)) {
    for (const environment of environments) {
        test(`${name}, ${environment}`, { timeout: 240_000 }, async () => {
            const folder = `${name}-${environment}`;
            mkdirSync(join(folder, "node_modules"), { recursive: true });
            cpSync(join(root, "clients/javascript"), join(folder, "node_modules/luuid"), { recursive: true });
            writeFileSync(join(folder, "package.json"), JSON.stringify(project));
            writeFileSync(join(folder, "compile.cjs"), `const { transpile } = require("typescript");
                exports.process = (code) => ({ code: transpile(code, { module: "commonjs", target: "es2015" }) });`);
            writeFileSync(join(folder, "ids.test.js"), begins + bodyOf(fake));
            const [options, program, args] = run(environment);
            const { NODE_OPTIONS, NODE_TEST_CONTEXT, FORCE_COLOR, ...env } = { ...process.env, NO_COLOR: "1" };
            const command = [...options, join(process.cwd(), "../node_modules", program), ...args];
            const done = promisify(execFile)(process.execPath, command, { cwd: folder, env });
            const { stdout, stderr } = await done.catch((error) => error);
            assert.match(stdout + stderr, /Tests:? +3 passed/, stdout + stderr);
        });
    }
}

// The page that decodes ids, opened from the file system in a browser.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const root = dirname(dirname(dirname(process.env.LUUID_IDS)));
const folder = join(root, "clients/javascript"), page = pathToFileURL(join(folder, "decode.html")).href;
const vectors = readFileSync(join(root, "test/data/vectors.tsv"), "utf8").trimEnd().split("\n").map((line) => line.split("\t"));
const of = (kind) => vectors.filter(([first]) => first === kind).map(([, ...words]) => words);
const skip = spawnSync("chromium", ["--version"]).error && "there is no Chromium here";
const inBrowser = (name, body) => test(name, { skip, timeout: 120_000 }, body);

// Chromium's protocol: messages that end with a zero byte.
let browser, session, loaded;
const requests = [], answers = new Map();
const send = (method, params = {}) => new Promise((resolve, reject) => {
    const id = answers.size;
    answers.set(id, ({ error, result }) => error ? reject(new Error(error.message)) : resolve(result));
    browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
});
const receive = ({ id, method, params, ...answer }) => {
    answers.get(id)?.(answer);
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
    if (method === "Page.loadEventFired") loaded();
};
const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true });
    assert.equal(exceptionDetails, undefined);
    return result.value;
};
const rows = () => evaluate("Array.from(document.querySelectorAll('tbody tr'), (row) => Array.from(row.cells, (cell) => cell.textContent))");
const enter = (name, value) => evaluate(`{ const input = document.getElementById("${name}"); input.value = ${JSON.stringify(value)};
    input.dispatchEvent(new Event("input")); }`);

before(async () => {
    if (skip) return;
    browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=profile",
        "--remote-debugging-pipe", "about:blank"],
    { env: { ...process.env, TZ: "Asia/Kathmandu" }, stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    let text = "";
    browser.stdio[4].setEncoding("utf8").on("data", (piece) => {
        const messages = (text + piece).split("\0");
        text = messages.pop();
        messages.map(JSON.parse).forEach(receive);
    });
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    session = (await send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await send("Network.enable");
    await send("Page.enable");
    const load = new Promise((resolve) => { loaded = resolve; });
    await send("Page.navigate", { url: `${page}#20be0ffc-314a-bd53-7a50-013a65ca76d2` });
    await load;
});
after(() => browser?.kill());

test("it has the client as it is, which npm run decode copies", () => {
    const files = ["reading.js", "seal.js", "generator.js"];
    const client = files.map((file) => readFileSync(join(folder, file), "utf8").replace(/^import .*\n/gm, "")).join("");
    assert(!/^import /m.test(client));
    const begin = "// The client begins\n", end = "// The client ends\n";
    const [, inline] = readFileSync(join(folder, "decode.html"), "utf8").split(begin);
    assert.equal(inline.split(end)[0], client);

    mkdirSync("changed");
    for (const file of ["package.json", "decode.mjs", "decode.html", ...files]) cpSync(join(folder, file), join("changed", file));
    writeFileSync("changed/generator.js", "// more\n", { flag: "a" });
    for (let times = 0; times < 2; times++) execFileSync("npm", ["run", "--silent", "decode"], { cwd: "changed" });
    assert(readFileSync("changed/decode.html", "utf8").includes(`${begin}${client}// more\n${end}`));
});

inBrowser("an id in the address, in local time too", async () => {
    assert.deepEqual(await rows(), [["20be0ffc-314a-bd53-7a50-013a65ca76d2", "b", "2012-10-15T18:58:18.450Z",
        "2012-10-16 00:43:18.450 GMT+05:45", "2", "3488672514", "12618", "d537a50"]]);
    assert.match(await evaluate("document.querySelector('#zone').textContent"), /\(Asia\/Kat(h?)mandu\)$/);
});

inBrowser("the fields of all vectors", async () => {
    await enter("ids", of("id").map(([id]) => id).join("\n"));
    const hex = (text) => text && Number(text).toString(16);
    const read = (await rows()).map(([id, version, time, , , ...fields]) => [id, version, time && Date.parse(time), ...fields]);
    assert.deepEqual(read, of("id").map(([id, version, ticks, counter, pid, node]) =>
        [id, hex(version), ticks && Math.floor(Number(BigInt(ticks) / 1000n) / 10), counter, pid, hex(node)]));
});

inBrowser("the shard of n", async () => {
    for (const [id, shards, shard] of of("shard")) {
        await enter("ids", id);
        await enter("shards", shards);
        assert.equal((await rows())[0][4], shard);
    }
    await enter("shards", "0");
    assert.match((await rows())[0][1], /^0 shards/);
    await enter("shards", "16");
});

inBrowser("what is no id is said to be none, and is text", async () => {
    const [first, second] = of("id").map(([id]) => id);
    await enter("ids", `"${first}", '${second.toUpperCase()}'; <img/src=x/onerror=alert(1)>`);
    const [one, other, last] = await rows();
    assert.deepEqual([one[0], other[0]], [first, second.toUpperCase()]);
    assert.deepEqual(last.slice(0, 1).concat(last.length), ["<img/src=x/onerror=alert(1)>", 2]);
    assert.match(last[1], /UUID/);
});

inBrowser("a key makes the rows that it changes, and no other", async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `${at.toString(16).padStart(8, "0")}-314a-bd53-7a50-013a65ca76d2`);
    await enter("ids", lines.join("\n"));
    await evaluate("for (const row of document.querySelectorAll('tbody tr')) row.isOld = true");
    for (const [at, removed, ...added] of [[0, 1, "odd"], [999, 1, "odd"], [500, 1, "odd"], [500, 0, "odd"], [500, 1], [0, 0, "odd"], [1, 3], [1, 0, lines[2]],
        [997, 1], [0, 1, lines[0], lines[0]]]) {
        lines.splice(at, removed, ...added);
        const before = await evaluate("Array.from(document.querySelectorAll('tbody tr')).filter((row) => row.isOld).length");
        await enter("ids", lines.join("\n"));
        assert.deepEqual((await rows()).map(([id]) => id), lines.slice(0, 1000));
        const kept = await evaluate("Array.from(document.querySelectorAll('tbody tr')).filter((row) => row.isOld).length");
        assert(kept >= before - removed - added.length, `${before} ${kept}`);
    }
    await enter("shards", "17"); // which are in each row
    assert.equal(await evaluate("Array.from(document.querySelectorAll('tbody tr')).filter((row) => row.isOld).length"), 0);
    await enter("shards", "16");
});

inBrowser("of many ids it shows the first, and says so", async () => {
    const said = () => evaluate("document.getElementById('rest').textContent");
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at.toString(16).padStart(8, "0")}-314a-bd53-7a50-013a65ca76d2`);
    await enter("ids", lines.join("\n"));
    assert.deepEqual((await rows()).map(([id]) => id), lines.slice(0, 1000));
    assert.equal(await said(), "The first 1000 of 20000 ids are shown.");
    await enter("ids", lines.slice(0, 1000).join("\n"));
    assert.equal(await said(), "");
});

inBrowser("a byte order mark is not part of an id", async () => {
    const [id] = of("id").at(-1);
    await enter("ids", `\ufeff${id}\r\n${id}\r\n`);
    assert.deepEqual((await rows()).map(([text, version]) => [text, version]), Array(2).fill([id, id[14]]));
});

const choose = (name, value) => evaluate(`{ const select = document.getElementById("${name}"); select.value = ${JSON.stringify(value)};
    select.dispatchEvent(new Event("change")); }`);

inBrowser("ids in base 32, with a prefix too", async () => {
    const [id, , , , , , base32] = of("id").at(-2);
    for (const text of [base32, base32.toUpperCase(), `user_${base32}`]) {
        await enter("ids", text);
        assert.equal((await rows())[0][0], id);
    }
    await enter("ids", "8zzzzzzzzzzzzzzzzzzzzzzzzz");
    assert.match((await rows())[0][1], /UUID/);
});

inBrowser("it generates ids of version 7 unless told otherwise, below what was pasted", async () => {
    const pasted = of("id")[9][0];
    await enter("ids", `${pasted}\n`);
    await enter("count", "3");
    for (let times = 1; times <= 2; times++) {
        await evaluate("document.getElementById('generate').click()");
        const [[first], ...made] = await rows();
        assert.equal(first, pasted);
        assert.equal(made.length, 3 * times);
        assert(made.every(([id, version, time], at) => version === "7" && (at === 0 || made[at - 1][0] < id) &&
            Math.abs(Date.parse(time) - Date.now()) < 600_000));
    }
    assert.equal(await evaluate("document.getElementById('mode').disabled"), true);
});

inBrowser("on a telephone the times are to be seen", async () => {
    for (const width of [320, 375, 768, 1280]) {
        await send("Emulation.setDeviceMetricsOverride", { width, height: 800, deviceScaleFactor: 1, mobile: width < 800 });
        await enter("ids", `01a1fdfa-5bd9-7b97-bc9f-aa0184a37621\n20be0ffc-314a-bd53-7a50-013a65ca76d2`);
        const times = await evaluate(`Array.from(document.querySelectorAll("tbody tr"), (row) => {
            const range = document.createRange();
            range.selectNodeContents(row.cells[2]);
            return range.getBoundingClientRect().right;
        })`);
        assert.equal(times.length, 2);
        assert(times.every((right) => right > 0 && right <= width), `${width}: ${times}`);
        assert(await evaluate("document.documentElement.scrollWidth") <= width);
    }
    await send("Emulation.clearDeviceMetricsOverride");
});

inBrowser("it generates ids", async () => {
    for (const version of ["11", "8"]) {
        await enter("ids", "");
        await enter("count", "1000");
        await enter("mode", "sequential");
        await choose("version", version);
        await evaluate("document.getElementById('generate').click()");
        const made = await rows();
        assert.equal(new Set(made.map(([id]) => id)).size, 1000);
        assert(made.every((cells, at) => cells[1] === Number(version).toString(16) &&
            Math.abs(Date.parse(cells[2]) - Date.now()) < 600_000 && (at === 0 || Number(cells[5]) !== Number(made[at - 1][5]))));
    }
});

inBrowser("it asks for nothing but itself", () => assert.deepEqual(requests.map((url) => url.split("#")[0]), [page]));

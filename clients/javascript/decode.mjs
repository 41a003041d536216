// npm run decode: copies the client into decode.html, between two comments.
import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("decode.html", import.meta.url);
const client = ["reading.js", "seal.js", "generator.js"].map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("");
const modules = client.replace(/^import .* from ".\/\w+.js";\n/gm, "");
const copied = readFileSync(page, "utf8").replace(/(?<=^\/\/ The client begins\n).*(?=^\/\/ The client ends\n)/ms, () => modules);
writeFileSync(page, copied);

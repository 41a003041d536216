// A consumer for test_follow.mjs, by the cookbook's loop: some rows fail once, some always, some at COMMIT, and one ends it.
import { follow } from "./follow_pg.mjs";

const tried = new Set();
await follow("mailer", async (client, { id, what }) => {
    if (what === "stop") process.exit();
    await client.query("INSERT INTO handled (id) VALUES ($1)", [id]);
    if (what === "always fails" || (what === "fails once" && !tried.has(id))) {
        tried.add(id);
        throw new Error(what);
    }
    if (what !== "fails at commit") await client.query("INSERT INTO finished VALUES ($1)", [id]);
});

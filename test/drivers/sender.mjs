// A worker of the cookbook's outbox for test_follow.mjs: it prints the messages, some of which fail once, and one ends it.
import { sendAll } from "./outbox_pg.mjs";

const tried = new Set();
await sendAll("sender", async (id, message) => {
    if (message === "stop") process.exit();
    if (message === "fails once" && !tried.has(id)) {
        tried.add(id);
        throw new Error(message);
    }
    console.log(message);
});

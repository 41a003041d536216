// What the package exports, as index.d.ts documents it. Ids are of PostgreSQL's luuid, generated and read in the application.
export { generate, generateV7, inShard, near } from "./generator.js";
export { ceiling, compare, counter, floor, fromBase32, node, pid, shard, ticks, timestamp, toBase32, version } from "./reading.js";
export { seal, unseal } from "./seal.js";

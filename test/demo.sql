-- What luuid does, told to somebody who has just met it.
\set ON_ERROR_STOP on
SET timezone = 'UTC';
SET client_min_messages = warning;
\echo
\echo '== A table whose key is a luuid. No created_at, no sequence.'
\set ECHO queries
CREATE EXTENSION luuid;
CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
INSERT INTO event (what) VALUES ('first'), ('second'), ('third') RETURNING *;
\set ECHO none

\echo '== Every field can be read back from the id.'
\set ECHO queries
SELECT id, luuid_extract_timestamp(id), luuid_extract_counter(id) AS counter, luuid_extract_pid(id) AS pid,
       luuid_extract_mac(id) AS node
FROM event ORDER BY id;
\set ECHO none

\echo '== Ids sort by time, so the primary key answers questions about time. Here are 100 000 rows of the last 100 days.'
\set ECHO queries
INSERT INTO event SELECT luuid_generate(now() - g * interval '86.4 seconds'), 'older' FROM generate_series(1, 100000) g;
ANALYZE event;
SELECT count(*) FROM event WHERE id >= now() - interval '1 day';
EXPLAIN (COSTS OFF) SELECT * FROM event WHERE id >= now() - interval '1 day' AND what = 'older';
SELECT luuid_extract_timestamp(min(id)) AS oldest, luuid_extract_timestamp(max(id)) AS newest FROM event;
\set ECHO none

\echo '== The first bytes choose a shard. Variable mode (the default) spreads ids evenly over 8 shards ...'
\set ECHO queries
SELECT luuid_shard(id, 8) AS shard, count(*), repeat('#', (count(*) / 500)::int) AS rows
FROM (SELECT luuid_generate_variable() AS id FROM generate_series(1, 100000)) AS ids
GROUP BY shard ORDER BY shard;
\set ECHO none

\echo '== ... and sequential mode keeps the ids of ten minutes together.'
\set ECHO queries
SELECT luuid_shard(id, 8) AS shard, count(*), repeat('#', (count(*) / 4000)::int) AS rows
FROM (SELECT luuid_generate_sequential() AS id FROM generate_series(1, 100000)) AS ids
GROUP BY shard ORDER BY shard;
\set ECHO none

\echo '== A child beside its parent, wherever that is.'
\set ECHO queries
SELECT parent, child, luuid_shard(parent, 1024) AS parent_shard, luuid_shard(child, 1024) AS child_shard
FROM (SELECT id AS parent, luuid_generate_near(id) AS child FROM event ORDER BY id DESC LIMIT 3) AS pairs;

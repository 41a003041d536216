-- A part of luuid for servers that cannot install it: ids that sort by time or spread over shards, and horizons for readers,
-- as plain SQL over uuid columns. Any role that may create a schema can load it. doc/plain.md describes it. Its functions have
-- the names and results of the extension's, which it does not need, unless a comment here says otherwise.
BEGIN;

CREATE SCHEMA luuid;
COMMENT ON SCHEMA luuid IS 'plain SQL functions of luuid, without the extension';

-- PostgreSQL parses bodies in SQL now, with this search_path. It parses bodies in PL/pgSQL when they run, so these set a
-- search_path, or qualify every name. No function is STRICT, which would prevent inlining. All return NULL for NULL.
SET LOCAL search_path = pg_catalog, pg_temp;

-- Raises an error in an expression. IMMUTABLE, since a volatile function would prevent inlining of its caller.
CREATE FUNCTION luuid.refused(problem text, sqlstate text, detail text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = problem, ERRCODE = sqlstate, DETAIL = detail;
END $$;
COMMENT ON FUNCTION luuid.refused(text, text, text) IS 'raise an error';


-- Generation

-- A new version-7 id, with 4096ths of a millisecond after the millisecond. A setting keeps the time of the session's last id.
-- If the clock is not past that, the id takes the next 4096th, so that ids of a session increase. A rollback reverts the
-- setting: after one, only the clock makes ids increase.
CREATE FUNCTION luuid.luuid_generate_v7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL UNSAFE
RETURN (overlay(
    lpad(to_hex(set_config('plain_luuid.last_v7', greatest(
            (extract(epoch FROM clock_timestamp()) * 4096000)::bigint,
            nullif(current_setting('plain_luuid.last_v7', true), '')::bigint + 1)::text, false)::bigint), 15, '0')
    PLACING '7' FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid;
COMMENT ON FUNCTION luuid.luuid_generate_v7() IS 'new version-7 UUID';

-- A new locality UUID of version 8: the millisecond in the last 6 bytes, and random bits where the extension's ids have the
-- counter, process id and node.
CREATE FUNCTION luuid.luuid_generate() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN overlay(overlay(gen_random_uuid()::text PLACING '8' FROM 15)
    PLACING lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') FROM 25)::uuid;
COMMENT ON FUNCTION luuid.luuid_generate() IS 'new locality UUID of version 8';


-- Reading

-- The version of any id, 0 to 15; 11 is version b.
CREATE FUNCTION luuid.luuid_extract_version(id uuid) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || substr(id::text, 15, 1))::bit(4)::int::smallint;
COMMENT ON FUNCTION luuid.luuid_extract_version(uuid) IS 'version of a UUID';

-- The time this many microseconds after the start of a day in UTC. It adds whole days apart, since an interval is multiplied by
-- a double, which is not exact for all of them.
CREATE FUNCTION luuid.instant(day date, microseconds bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (day + (microseconds / 86400000000)::int + (microseconds % 86400000000) * interval '1 microsecond')
    AT TIME ZONE 'UTC';
COMMENT ON FUNCTION luuid.instant(date, bigint) IS 'time that is a number of microseconds after the start of a day in UTC';

-- The time of an id of version 1, 6, 7, 8 or b; NULL for others.
CREATE FUNCTION luuid.luuid_extract_timestamp(id uuid) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN id::text ~ '^.{14}(b|8.{4}[89ab])'
        THEN luuid.instant('1970-01-01', ('x' || right(id::text, 12))::bit(48)::bigint * 1000)
    WHEN id::text ~ '^.{14}7.{4}[89ab]'
        THEN luuid.instant('1970-01-01', ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint * 1000)
    WHEN id::text ~ '^.{14}1'
        THEN luuid.instant('1582-10-15',
            ('x' || substr(id::text, 16, 3) || substr(id::text, 10, 4) || left(id::text, 8))::bit(60)::bigint / 10)
    WHEN id::text ~ '^.{14}6.{4}[89ab]'
        THEN luuid.instant('1582-10-15',
            ('x' || left(id::text, 8) || substr(id::text, 10, 4) || substr(id::text, 16, 3))::bit(60)::bigint / 10)
END;
COMMENT ON FUNCTION luuid.luuid_extract_timestamp(uuid) IS 'time of a UUID';


-- Bounds of a time range for version-7 ids in the byte order of uuid: id >= luuid_v7_floor(t) if and only if the time of id
-- is >= t, and id <= luuid_v7_ceiling(t) if and only if it is <= t. The extension's luuid_floor and luuid_ceiling are bounds
-- in the chronological order instead.

CREATE FUNCTION luuid.luuid_v7_floor(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN at > '10889-08-02 05:31:50.655+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    WHEN at IS NOT NULL
        THEN (lpad(to_hex(ceil(greatest(extract(epoch FROM at AT TIME ZONE 'UTC'), 0) * 1000)::bigint), 12, '0')
            || '70008000000000000000')::uuid
END;
COMMENT ON FUNCTION luuid.luuid_v7_floor(timestamptz) IS 'least version-7 UUID that is not before a time, in byte order';

CREATE FUNCTION luuid.luuid_v7_ceiling(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN at < '1970-01-01 00:00+00' THEN '00000000-0000-0000-0000-000000000000'
    WHEN at IS NOT NULL
        THEN (lpad(to_hex(least(floor(extract(epoch FROM at AT TIME ZONE 'UTC') * 1000), 281474976710655)::bigint), 12, '0')
            || '7fffbfffffffffffffff')::uuid
END;
COMMENT ON FUNCTION luuid.luuid_v7_ceiling(timestamptz) IS 'greatest version-7 UUID that is not after a time, in byte order';


-- Shards: equal ranges of the first 32 bits.

CREATE FUNCTION luuid.luuid_shard(id uuid, shards int) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN shards <= 0 AND id IS NOT NULL
    THEN luuid.refused('invalid number of shards: ' || shards::text, '22023', 'Valid values are 1 and more.')
    ELSE ('x' || left(id::text, 8))::bit(32)::bigint * shards >> 32
END::int;
COMMENT ON FUNCTION luuid.luuid_shard(uuid, int) IS 'shard of a locality UUID by its first 32 bits, given the number of shards';

-- The first block (first 32 bits of ids) of a shard; for `shards` itself, the block past the last.
CREATE FUNCTION luuid.shard_begin(shard bigint, shards int) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((shard << 32) + shards - 1) / shards;
COMMENT ON FUNCTION luuid.shard_begin(bigint, int) IS 'first block of a shard';

CREATE FUNCTION luuid.checked_shard(shard int, shards int) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN shards <= 0 AND shard IS NOT NULL
        THEN luuid.refused('invalid number of shards: ' || shards::text, '22023', 'Valid values are 1 and more.')
    WHEN shard NOT BETWEEN 0 AND shards - 1 AND shards IS NOT NULL
        THEN luuid.refused('invalid shard: ' || shard::text, '22023',
            'Of ' || shards::text || ' shards, the first is 0 and the last is ' || (shards - 1)::text || '.')
    ELSE shard
END;
COMMENT ON FUNCTION luuid.checked_shard(int, int) IS 'the shard, or an error if it does not exist';

CREATE FUNCTION luuid.luuid_shard_floor(shard int, shards int) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN rpad(lpad(to_hex(luuid.shard_begin(luuid.checked_shard(shard, shards), shards)), 8, '0'), 32, '0')::uuid;
COMMENT ON FUNCTION luuid.luuid_shard_floor(int, int) IS 'least UUID of a shard, in byte order';

-- A new locality UUID whose first 32 bits are random in a range of blocks, which begins with `first`.
CREATE FUNCTION luuid.generate_in(first bigint, blocks bigint) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
BEGIN ATOMIC
    SELECT overlay(id::text
        PLACING lpad(to_hex(first + ('x' || left(id::text, 8))::bit(32)::bigint % blocks), 8, '0') FROM 1)::uuid
    FROM luuid.luuid_generate() AS id;
END;
COMMENT ON FUNCTION luuid.generate_in(bigint, bigint) IS 'new locality UUID in a range of blocks';

CREATE FUNCTION luuid.luuid_generate_in_shard(shard int, shards int) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN luuid.generate_in(luuid.shard_begin(luuid.checked_shard(shard, shards), shards),
    luuid.shard_begin(shard::bigint + 1, shards) - luuid.shard_begin(shard, shards));
COMMENT ON FUNCTION luuid.luuid_generate_in_shard(int, int) IS 'new locality UUID on a shard';

CREATE FUNCTION luuid.luuid_generate_near(neighbour uuid, prefix_bits int DEFAULT 16) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE WHEN prefix_bits BETWEEN 0 AND 32
    THEN luuid.generate_in(('x' || left(neighbour::text, 8))::bit(32)::bigint >> 32 - prefix_bits << 32 - prefix_bits,
        1::bigint << 32 - prefix_bits)
    WHEN prefix_bits IS NOT NULL AND neighbour IS NOT NULL
    THEN to_hex(luuid.refused('invalid number of prefix bits: ' || prefix_bits::text, '22023',
        'Valid values are 0 to 32.'))::uuid
END;
COMMENT ON FUNCTION luuid.luuid_generate_near(uuid, int) IS 'new locality UUID with the first bits of another';


-- Base 32: 26 digits of Crockford's alphabet, as in a TypeID.

CREATE FUNCTION luuid.luuid_to_base32(id uuid) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits FROM 5 * n + 1 FOR 5)::int + 1, 1), ''
        ORDER BY n)
    FROM (SELECT B'00' || ('x' || translate(id::text, '-', ''))::bit(128)) AS padded (bits), generate_series(0, 25) AS n;
END;
COMMENT ON FUNCTION luuid.luuid_to_base32(uuid) IS 'convert UUID to base 32';

-- Accepts either case, o for 0, i and l for 1, and hyphens anywhere.
CREATE FUNCTION luuid.luuid_from_base32(digits text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN plain ~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN (
            SELECT (lpad(to_hex(left(bits, 64)::bit(64)::bigint), 16, '0')
                || lpad(to_hex(right(bits, 64)::bit(64)::bigint), 16, '0'))::uuid
            FROM (SELECT substr(string_agg(
                    (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(plain, n, 1)) - 1)::bit(5)::text, '' ORDER BY n), 3)
                FROM generate_series(1, 26) AS n) AS joined (bits))
        WHEN digits IS NOT NULL
        THEN to_hex(luuid.refused('invalid base-32 form of a uuid: "' || digits || '"', '22P02',
            'Expected 26 digits, or letters other than "u", of which the first is from 0 to 7.'))::uuid
    END
    FROM (SELECT lower(translate(digits, 'OoIiLl-', '001111') COLLATE "C")) AS read (plain);
END;
COMMENT ON FUNCTION luuid.luuid_from_base32(text) IS 'convert base 32 to UUID';


-- Following: what a consumer may read, although transactions commit in another order than they generated their ids.

-- Returns a time before which every id of a table is settled: visible to the statements after the CALL, or never stored. It is
-- not before the given one. The inserter has to generate ids from the clock, after its transaction has locked the table.
--     An INSERT holds a lock on its table until other transactions see its rows. (It locks a parent before it evaluates
-- defaults and locks the partition.) So if a transaction has no lock in pg_locks, its ids are visible, or it locks the table
-- later and then generates ids after the clock reading. If it has a lock, its ids are not before its start. The procedure reads
-- the clock, then the starts, then the locks. If it read the locks first, a process could prepare the transaction with the
-- lock, and show the start of its next one. CREATE TABLE of a partition and an ALTER TABLE that fills a column lock exclusively.
-- A command that adds a child locks the child exclusively, and the parent as VACUUM and ANALYZE do. A lock that is awaited
-- counts too: EXECUTE generates the id of a parameter before it waits.
CREATE PROCEDURE luuid.settle(relation regclass, INOUT horizon timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    present timestamptz := clock_timestamp();
    sessions pg_stat_activity[];
    unseen int;
    began timestamptz;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_class WHERE oid = relation AND relkind IN ('r', 'p')) THEN
        RAISE EXCEPTION '% is not a table', relation USING ERRCODE = 'wrong_object_type',
            HINT = 'Name the table, or the partitioned table.';
    ELSIF pg_is_in_recovery() THEN
        RAISE EXCEPTION 'the writers of a table are not known during recovery' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Call luuid.settle on the primary.';
    ELSIF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'cannot settle a table in an isolation level above READ COMMITTED' USING ERRCODE = 'active_sql_transaction',
            DETAIL = 'Later statements of the transaction can have an older snapshot.',
            HINT = 'Begin it by BEGIN ISOLATION LEVEL READ COMMITTED.';
    END IF;
    -- Discards what the transaction has read of pg_stat_activity, which it would read again.
    PERFORM pg_stat_clear_snapshot();
    SELECT array_agg(s) INTO sessions FROM pg_stat_activity AS s;

    -- The transaction of a process that was not in pg_stat_activity, or was idle there, began after the clock reading.
    -- A partition that is being detached still has its ancestors in pg_inherits, and their inserters.
    WITH RECURSIVE tree AS (
        SELECT relation AS member
        UNION SELECT inhrelid FROM tree JOIN pg_inherits ON inhparent = member
    ), above AS (
        SELECT relation AS member
        UNION SELECT inhparent FROM above JOIN pg_inherits ON inhrelid = member JOIN pg_class ON oid = inhparent AND relkind = 'p'
    )
    SELECT min(l.pid) FILTER (WHERE state = 'disabled' OR query = '<insufficient privilege>'),
        min(CASE WHEN l.pid IS NULL OR xact_start IS NULL AND s.pid IS NOT NULL AND state IS DISTINCT FROM 'idle'
            THEN '-infinity' ELSE xact_start END)
    INTO unseen, began
    FROM pg_locks AS l LEFT JOIN unnest(sessions) AS s USING (pid)
    WHERE l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (l.mode IN ('RowExclusiveLock', 'AccessExclusiveLock') OR l.mode = 'ShareUpdateExclusiveLock'
            AND l.virtualtransaction IN (SELECT virtualtransaction FROM pg_locks WHERE mode = 'AccessExclusiveLock'))
        AND l.relation IN (SELECT member FROM tree UNION SELECT member FROM above);
    IF unseen IS NOT NULL THEN
        RAISE EXCEPTION 'cannot see the start of a transaction that may insert into % (process %)', relation, unseen
            USING ERRCODE = 'insufficient_privilege',
            HINT = format('Grant pg_read_all_stats to role %I; if it has that, track_activities is off in the other session.', current_user);
    END IF;
    horizon := greatest(horizon, date_trunc('milliseconds', nullif(least(present, began), '-infinity')));
END $$;
COMMENT ON PROCEDURE luuid.settle(regclass, timestamptz) IS 'return a time before which each id of a table is visible or will never be stored';

-- The open transactions that have taken a number from a sequence: nextval() locks it until the transaction has ended.
CREATE FUNCTION luuid.takers(sequence regclass) RETURNS text[]
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    SELECT array_agg(virtualtransaction) FROM pg_locks
    WHERE locktype = 'relation' AND relation = sequence AND granted AND mode = 'RowExclusiveLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
END;
COMMENT ON FUNCTION luuid.takers(regclass) IS 'open transactions that have taken a number from a sequence';

-- Reads the last number of a sequence, and after that its takers, so that no taker of a number up to it is missing. Both are NULL
-- if TRUNCATE locks the sequence until the timeout.
CREATE FUNCTION luuid.taken(sequence regclass, timeout interval, OUT last bigint, OUT takers text[])
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_sequence WHERE seqrelid = sequence) THEN
        RAISE EXCEPTION '% is not a sequence', sequence USING ERRCODE = 'wrong_object_type';
    ELSIF EXISTS (SELECT FROM pg_sequence JOIN pg_class ON oid = seqrelid
            WHERE oid = sequence AND (seqcache <> 1 OR seqcycle OR seqincrement < 0 OR relpersistence = 'u')) THEN
        RAISE EXCEPTION 'sequence % does not give out its numbers in ascending order', sequence
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Use a logged sequence with CACHE 1, NO CYCLE and a positive increment.';
    ELSIF pg_is_in_recovery() THEN
        RAISE EXCEPTION 'the users of a sequence are not known during recovery' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Call luuid.settle_sequence on the primary.';
    END IF;
    PERFORM set_config('lock_timeout', greatest(1, extract(epoch FROM least(timeout, '20 days')) * 1000)::int::text, true) WHERE timeout IS NOT NULL;
    EXECUTE format('SELECT last_value FROM %s WHERE is_called', sequence) INTO last;
    takers := luuid.takers(sequence);
EXCEPTION WHEN lock_not_available THEN NULL;
END $$;
COMMENT ON FUNCTION luuid.taken(regclass, interval) IS 'last number of a sequence, and the open transactions that may have taken one up to it';

-- Returns a number up to which every number of a sequence is settled in the same sense, once its takers have ended; at the
-- timeout, the given number. The COMMITs prevent that its snapshot holds back VACUUM while it waits. A procedure with SET
-- cannot COMMIT, so every name is qualified.
CREATE PROCEDURE luuid.settle_sequence(sequence regclass, INOUT upto bigint, timeout interval DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE
    deadline pg_catalog.timestamptz := pg_catalog.clock_timestamp() OPERATOR(pg_catalog.+) timeout;
    taken record;
BEGIN
    taken := luuid.taken(sequence, timeout);
    COMMIT;
    WHILE taken.takers OPERATOR(pg_catalog.&&) luuid.takers(sequence) LOOP
        IF pg_catalog.clock_timestamp() OPERATOR(pg_catalog.>=) deadline THEN
            RETURN;
        END IF;
        PERFORM pg_catalog.pg_sleep(0.01);
        COMMIT;
    END LOOP;
    upto := coalesce(taken.last, upto);
END $$;
COMMENT ON PROCEDURE luuid.settle_sequence(regclass, bigint, interval)
    IS 'wait, and return a number up to which each number is visible or will never be stored';

COMMIT;

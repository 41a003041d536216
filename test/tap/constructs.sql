-- Tables and what hangs on them, by every construct that names an operator of luuid without its schema: a dump,
-- pg_upgrade and a subscriber have to carry them with an empty search path. Loaded by dump.pl, remote.pl and
-- upgrade.pl.

CREATE DOMAIN other_than_nil AS luuid CHECK (VALUE IS DISTINCT FROM '00000000-0000-0000-0000-000000000000');
CREATE TYPE span AS RANGE (subtype = luuid);

CREATE TABLE checked (
    id other_than_nil PRIMARY KEY DEFAULT luuid_generate(),
    parent luuid REFERENCES checked,
    twin uuid,
    n int,
    CHECK (id IS DISTINCT FROM parent),
    CHECK (twin IS NOT DISTINCT FROM id),
    CHECK (NULLIF(id, parent) IS NOT NULL),
    CHECK (CASE id WHEN parent THEN false ELSE true END),
    CHECK (id NOT IN (parent, luuid_floor('-infinity'))),
    CHECK (id = ANY (ARRAY[id, parent])),
    CHECK (id BETWEEN SYMMETRIC luuid_ceiling('infinity') AND luuid_floor('2000-01-01Z')),
    CHECK ((id, n) > (luuid '00000000-0000-0000-0000-000000000000', n)),
    CHECK (ROW(id, n) IS DISTINCT FROM ROW(parent, n)),
    CHECK (greatest(id, parent) IN (id, parent)),
    CHECK (id >= timestamptz '2000-01-01Z' AND id <@ tstzrange('2000-01-01Z', 'infinity') AND timestamptz '2000-01-01Z' <= id),
    is_root boolean GENERATED ALWAYS AS (NULLIF(id, coalesce(parent, id)) IS NULL) STORED,
    born boolean GENERATED ALWAYS AS (id IS DISTINCT FROM parent AND id >= timestamptz '2000-01-01Z') STORED,
    EXCLUDE USING btree (id WITH =)
);
ALTER TABLE checked ADD tag luuid DEFAULT NULLIF(luuid_floor('2000-01-01Z'), '00000000-0000-0000-0000-000000000000');
CREATE INDEX checked_children ON checked (n) WHERE id IS DISTINCT FROM parent AND NULLIF(parent, id) IS NOT NULL;
CREATE INDEX checked_expression ON checked ((id IS NOT DISTINCT FROM parent), luuid_shard(id, 8));
CREATE STATISTICS checked_roots ON (NULLIF(id, parent)), n FROM checked;
CREATE POLICY others ON checked USING (id IS DISTINCT FROM parent) WITH CHECK (id <> COALESCE(parent, twin));

CREATE TABLE log (id luuid, parent luuid, at timestamptz);
CREATE FUNCTION logged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.log VALUES (NEW.id, NEW.parent, NEW.id::timestamptz);
    RETURN NULL;
END
$$;
CREATE TRIGGER moved AFTER UPDATE ON checked FOR EACH ROW WHEN (OLD.parent IS DISTINCT FROM NEW.parent) EXECUTE FUNCTION logged();
ALTER TABLE checked ENABLE ALWAYS TRIGGER moved;
CREATE RULE kept AS ON DELETE TO log WHERE OLD.id IS DISTINCT FROM OLD.parent DO INSTEAD NOTHING;

CREATE FUNCTION is_root(id luuid, parent luuid) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN CASE parent WHEN id THEN NULL ELSE NULLIF(id, parent) IS NOT DISTINCT FROM id AND parent IS NULL END;
CREATE FUNCTION family(luuid) RETURNS SETOF luuid LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT id FROM checked WHERE parent IS NOT DISTINCT FROM $1 OR id IN ($1);
END;

CREATE VIEW joined AS
SELECT id, l.at FROM checked JOIN log AS l USING (id) WHERE l.id >= timestamptz '2000-01-01Z';
CREATE VIEW natural_joined AS
SELECT * FROM (SELECT id::luuid, parent FROM checked) AS c NATURAL FULL JOIN (SELECT id, parent FROM log) AS l;
CREATE VIEW compared WITH (security_barrier) AS
SELECT a.id, count(*) OVER (ORDER BY a.id RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) AS lately,
    CASE a.id WHEN b.id THEN 'root' END AS kind, a.id IN (SELECT id FROM log) AS was_logged,
    min(a.id) OVER () IS NOT DISTINCT FROM a.id AS is_first, span(least(a.parent, a.id), greatest(a.parent, a.id), '[]') @> a.id::luuid AS spans
FROM checked AS a LEFT JOIN checked AS b ON a.parent IS NOT DISTINCT FROM b.id
ORDER BY a.id USING >;
CREATE MATERIALIZED VIEW grouped AS
SELECT parent, max(id::luuid) AS latest, count(DISTINCT id) FILTER (WHERE id IS DISTINCT FROM parent) AS children
FROM checked GROUP BY parent;

INSERT INTO checked (id, parent, twin, n)
SELECT id, NULL, id, n FROM (SELECT luuid_generate() AS id, n FROM generate_series(1, 20) AS n OFFSET 0) AS made;
INSERT INTO checked (id, parent, twin, n)
SELECT child, id, child, n FROM (SELECT luuid_generate_near(id) AS child, id, n FROM checked OFFSET 0) AS made;
UPDATE checked SET parent = NULL WHERE n = 7 AND parent IS NOT NULL;
UPDATE checked SET n = n + 100 WHERE n > 15;
REFRESH MATERIALIZED VIEW grouped;

-- What luuid_removal.sql changes and keeps, for removal.pl. Created by a role that is no superuser.
CREATE EXTENSION luuid_contrib CASCADE;
CREATE SCHEMA app; CREATE SCHEMA "Wéird sch.ema"; SET search_path = app, public;
CREATE TABLE parent (id luuid PRIMARY KEY DEFAULT luuid_generate(), pred luuid, n int, t text, CONSTRAINT nn CHECK (n IS NOT NULL));
INSERT INTO parent (pred, n, t) SELECT NULL, g, 'x' || g FROM generate_series(1, 1000) g;
UPDATE parent p SET pred = q.id FROM parent q WHERE q.n = p.n - 1; ALTER TABLE parent ALTER id SET STATISTICS 777;
CREATE UNIQUE INDEX parent_fancy ON parent (id DESC NULLS LAST) INCLUDE (n) WITH (fillfactor = 71);
CREATE INDEX parent_brin ON parent USING brin (id luuid_minmax_ops) WITH (pages_per_range = 7);
CREATE INDEX parent_hash ON parent USING hash (id); CREATE INDEX parent_gist ON parent USING gist (id);
CREATE INDEX parent_elsewhere ON parent (pred) TABLESPACE elsewhere;
CREATE TABLE kid (id luuid PRIMARY KEY, p luuid NOT NULL, q uuid,
  CONSTRAINT kid_p FOREIGN KEY (p) REFERENCES parent ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT kid_q FOREIGN KEY (q) REFERENCES parent ON DELETE SET NULL (q));
INSERT INTO kid SELECT luuid_generate(), id, pred FROM parent; ALTER TABLE kid ADD CONSTRAINT kid_nv FOREIGN KEY (q) REFERENCES parent NOT VALID;
ALTER TABLE parent ENABLE ROW LEVEL SECURITY; CREATE POLICY pol ON parent USING (n > 0);
GRANT SELECT (id, n) ON parent TO bob; GRANT SELECT ON parent TO alice; ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
COMMENT ON COLUMN parent.id IS 'pid'; COMMENT ON INDEX parent_fancy IS 'ic'; COMMENT ON CONSTRAINT kid_p ON kid IS E'two\nlines \\';
COMMENT ON CONSTRAINT parent_pkey ON parent IS 'pkc'; ALTER TABLE parent CLUSTER ON parent_pkey; ALTER TABLE parent REPLICA IDENTITY USING INDEX
    parent_pkey;
CREATE PUBLICATION pub1 FOR TABLE parent, TABLE kid WHERE (false); CREATE PUBLICATION pub2 FOR TABLE parent
    WHERE (n IS NOT NULL) WITH (publish = 'insert');
CREATE TABLE "Wéird sch.ema"."A ""table""" ("Id" luuid PRIMARY KEY DEFAULT gen_random_uuid(), made uuid DEFAULT luuid_generate_v7(),
  v7 luuid DEFAULT luuid_generate_v7(), nothing luuid DEFAULT NULL, t text DEFAULT '::luuid');
INSERT INTO "Wéird sch.ema"."A ""table""" DEFAULT VALUES; CREATE UNLOGGED TABLE unlogged (id luuid UNIQUE);
CREATE TABLE a (id luuid PRIMARY KEY, n int, UNIQUE (id, n), self luuid REFERENCES a, b luuid);
CREATE TABLE b (id luuid PRIMARY KEY REFERENCES a ON DELETE CASCADE, n int, FOREIGN KEY (id, n) REFERENCES a (id, n) MATCH FULL);
ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b DEFERRABLE INITIALLY DEFERRED;
BEGIN; INSERT INTO a SELECT id, 1, id, id FROM luuid_generate() AS id; INSERT INTO b SELECT id, n FROM a; COMMIT;
CREATE TABLE arrays (id luuid PRIMARY KEY DEFAULT '00000000-0000-0000-0000-000000000000', ids luuid[] NOT NULL DEFAULT '{}', none luuid[] DEFAULT ARRAY[]::luuid[],
  nils luuid[] DEFAULT '{00000000-0000-0000-0000-000000000000,NULL}', uuids uuid[] DEFAULT ARRAY[]::luuid[]);
CREATE INDEX ON arrays USING gin (ids); CREATE INDEX ON arrays (ids);
INSERT INTO arrays (id, ids) SELECT id, ARRAY[id, pred] FROM parent;
CREATE TABLE mutual (id luuid PRIMARY KEY, other luuid); CREATE TABLE other (id luuid PRIMARY KEY, mutual luuid REFERENCES mutual);
ALTER TABLE mutual ADD FOREIGN KEY (other) REFERENCES other; CREATE TABLE circle (id luuid PRIMARY KEY); CREATE TABLE round (id luuid PRIMARY KEY REFERENCES circle);
ALTER TABLE circle ADD FOREIGN KEY (id) REFERENCES round DEFERRABLE;
CREATE TABLE tree (tenant luuid, id luuid, parent luuid, PRIMARY KEY (tenant, id), FOREIGN KEY (tenant, parent) REFERENCES tree);
INSERT INTO tree SELECT id, id, id FROM parent;

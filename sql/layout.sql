-- Layouts: the published examples. vectors.sql has every field of every version.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- Published examples: the one in the format's description; the sequential one of 2013-04-28 01:0x, seed f5166775 + 2.
SELECT *, to_hex(counter) AS hex FROM luuid_inspect('20be0ffc-314a-bd53-7a50-013a65ca76d2') \gx
SELECT to_hex(prefix - x'f5166775'::bigint) AS ids_since_seed FROM luuid_inspect('f5166777-0000-b000-0000-000000000000');
-- If the digits of version and variant are random, as in COMBs of some libraries, one id in six reads as timed.
SELECT count(*) AS timed_of_256 FROM generate_series(0, 15) AS version, generate_series(0, 15) AS variant
WHERE format('00000000-0000-%s000-%s000-000000000001', to_hex(version), to_hex(variant))::luuid::timestamptz IS NOT NULL;

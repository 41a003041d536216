-- Layouts: what reads as timed. vectors.sql has every field of every version.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- If the digits of version and variant are random, as in COMBs of some libraries, one id in six reads as timed.
SELECT count(*) AS timed_of_256 FROM generate_series(0, 15) AS version, generate_series(0, 15) AS variant
WHERE format('00000000-0000-%s000-%s000-000000000001', to_hex(version), to_hex(variant))::luuid::timestamptz IS NOT NULL;

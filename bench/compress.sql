-- Measures the bytes of an id in a compressed dump, as text and in binary, in the order of generation. Takes :rows.
\set report order
\ir measure.sql

CREATE TABLE format (name text, options text);
INSERT INTO format VALUES ('text', ''), ('binary', '(FORMAT binary)');
INSERT INTO measured
SELECT format('gzip of %s, bytes an id', format.name), peer.name, 0,
       size_of(format('SELECT %s FROM generate_series(1, %s)', call, :rows), options) / :rows
FROM format, peer ORDER BY place;
COPY measured TO STDOUT;

// What the --help texts end with: examples, then explanations.
#pragma once

namespace cli::help {

inline constexpr char program[] = R"help(Examples:
  luuid generate
      one new id
  luuid inspect 20be0ffc-314a-bd53-7a50-013a65ca76d2
      every field of an id
  psql -Atc 'SELECT id FROM event' | luuid inspect --json
      the same for many ids, as JSON
  luuid floor "$(date -uIs -d '7 days ago')"
      the lower bound for ids of the last seven days

Exit codes:
  0  all is well
  1  values were refused: luuid reported each on standard error, with its
     line and the reason, and processed the others
  2  wrong usage
  3  standard input or output failed

`luuid COMMAND --help` explains a command, and luuid(1) all of them.)help";

inline constexpr char generate[] = R"help(Examples:
  luuid generate -n 1000
      a thousand ids, one a line
  luuid generate --mode sequential -n 3
      three that a range partition or shard keeps together
  luuid generate --version 8
      one for validators that require RFC 9562
  luuid generate --at 2026-11-01T12:00:00Z
      one of another time, for back-filling
  luuid generate --shard 3/16 -n 5
      five on shard 3 of the shards 0 to 15

Each id is greater than the one before it, in SQL's order, unless --at or
--shard is given.

--mode     variable: the first bytes spread evenly over all values;
           sequential: they count up, from a start that all machines share
           for ten minutes
--version  b: the locality UUID; 8: the same with RFC 9562's version and
           variant; 1 and 7: RFC 9562's, without locality, with -n alone
--node     mac, random or seven hexadecimal digits; auto is a hash of the
           machine's id and its address, or random in a container
--shard    one of the shards 0 to N-1; its ids spread over all of it)help";

inline constexpr char inspect[] = R"help(Without an ID, or for -, inspects those in the lines of standard input: of any
form that SQL takes, in base 32, or anywhere in a line of a log.

Examples:
  luuid inspect 20be0ffc-314a-bd53-7a50-013a65ca76d2
  luuid generate -n 3 | luuid inspect
  luuid inspect --json < ids.txt | jq -r .timestamp

As SQL's luuid_inspect; mac is the node, in versions b and 8 mostly a hash. A
field that the version does not have is shown as -, in JSON as null.)help";

inline constexpr char boundary[] = R"help(Without a TIME, reads them from standard input, one a line.

A time is a date, or a date with a time of day and its zone, as in RFC 3339. A
date is its midnight in UTC. Times count to the microsecond; the seconds may be
left out.

Examples:
  luuid floor 2026-11-01
  luuid floor 2026-11-01T12:00:00+01:00
  luuid ceiling 2026-11-01T11:00:00.25Z
  luuid floor "$(date -uIs -d yesterday)"

Of the ids with a time, those of that time or later are >= the floor, and those
of that time or earlier are <= the ceiling, in SQL's order.)help";

inline constexpr char shard[] = R"help(Without an ID, reads them from standard input, one a line. Prints a number from
0 to N-1 for each.

Examples:
  luuid shard 4 20be0ffc-314a-bd53-7a50-013a65ca76d2
  luuid generate -n 100000 | luuid shard 4 | sort | uniq -c
  luuid shard --ranges 16 --format sql

--ranges writes where each of N shards begins and ends, in the order of bytes,
for one of

--format  pgdog: rules of PgDog, to follow [[sharded_tables]] in pgdog.toml
          spqr: commands for SPQR's console; its distribution is event, and its
          shards are shard0 and so on
          sql: partitions of a table event in the order of bytes)help";

inline constexpr char base32[] = R"help(Without a value, reads them from standard input, one a line.

An id becomes 26 digits of Crockford's base 32, which sort as its bytes do.
Digits become an id: in either case, with hyphens anywhere, o for 0, and i and
l for 1.

Examples:
  luuid base32 01890a5d-ac96-774b-bcce-b302099a8057
  luuid base32 01h455vb4pex5vsknk084sn02q)help";

inline constexpr char uniqid[] = R"help(Without a value, reads them from standard input, one a line.

A key has 13 hexadecimal digits, PHP's uniqid(); or 17, with four random ones in
front; or 18 to 20, with a shard in decimal before these. It becomes an id of
version 1 that keeps every digit. An id becomes a key with a shard.

Examples:
  luuid uniqid 8b3b5507c2f125c2f4
  luuid uniqid 0816f288-16df-11e2-8000-01000000b3b5
  luuid uniqid --shards 16 < ids.txt)help";

}  // namespace cli::help

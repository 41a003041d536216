<?php
// PHP's PDO: an id is a string, and needs nothing; a time needs its type. Prints TAP.
require "contract.php";

$server = array_map("getenv", ["PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSWORD"]);
$db = new PDO(sprintf("pgsql:host=%s;port=%s;dbname=%s;user=%s;password=%s", ...$server));
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
function column(string $sql, ...$values): array {
    global $db;
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement->columnCount() ? $statement->fetchAll(PDO::FETCH_COLUMN) : [];
}
$found = fn (string $condition, ...$values) => column("SELECT id FROM event WHERE $condition ORDER BY id", ...$values);

foreach (array_reverse($ids) as $id) {
    column("INSERT INTO event (id) VALUES (?)", $id);
}
check("ids of the client are stored and read back", $found("true"), $ids);
check("an id finds its row", $found("id = ?", $ids[2]), [$ids[2]]);
check("an array finds its rows", $found("id = ANY (?)", "{{$ids[3]},{$ids[0]}}"), [$ids[0], $ids[3]]);
foreach (array_filter(array_unique($times)) as $i => $time) {
    check("a time finds the rows since", $found("id >= ?::timestamptz", $time), array_slice($ids, $i));
}
try {
    $found("id >= ?", "2026-11-01");
    check("a time without its type is refused", "nothing", "an error");
} catch (PDOException $error) {
    check("a time without its type is refused", $error->getCode(), "22P02");
}

column("TRUNCATE event");
$made = [];
for ($n = 0; $n < 20; $n++) {
    $made = [...$made, ...column("INSERT INTO event DEFAULT VALUES RETURNING id")];
}
check("ids of the server come back as made", $found("true"), $made);

done();

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

contract(fn ($id) => column("INSERT INTO event (id) VALUES (?)", $id), fn () => column("INSERT INTO event DEFAULT VALUES RETURNING id")[0],
    $found, fn () => column("TRUNCATE event"));
check("an array finds its rows", $found("id = ANY (?)", "{{$ids[3]},{$ids[0]}}"), [$ids[0], $ids[3]]);
try {
    $found("id >= ?", "2026-11-01");
    check("a time without its type is refused", "nothing", "an error");
} catch (PDOException $error) {
    check("a time without its type is refused", $error->getCode(), "22P02");
}

done();

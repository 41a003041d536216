<?php
// PHP's PDO: an id is a string, and needs nothing; a time needs its type.
require "loop.php";

$server = array_map("getenv", ["PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSWORD"]);
$db = new PDO(sprintf("pgsql:host=%s;port=%s;dbname=%s;user=%s;password=%s", ...$server));
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
function column(string $sql, ...$values): array {
    global $db;
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement->columnCount() ? $statement->fetchAll(PDO::FETCH_COLUMN) : [];
}

try {
    column("SELECT id FROM event WHERE id >= ?", "2026-11-01");
} catch (PDOException $error) {
    own("a time without its type is refused", $error->getCode(), "22P02");
}
serve("sql\tPDO\tmark=?\ttime_mark=?::timestamptz", [
    "each" => fn ($sql, ...$ids) => count(array_map(fn ($id) => column($sql, $id), $ids)),
    "ids" => fn ($sql, ...$ids) => column($sql, "{" . implode(",", $ids) . "}"),
    "id" => "column", "text" => "column", "time" => "column", "none" => "column",
]);

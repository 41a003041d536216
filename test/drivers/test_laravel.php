<?php
// Laravel: what its migrations make, and ids as strings in Eloquent. Prints TAP.
// needs: release
require "contract.php";
require_once "Illuminate/Database/autoload.php";

use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Schema\Blueprint;

$laravel = new Manager();
$laravel->addConnection(["driver" => "pgsql", "host" => getenv("PGHOST"), "port" => getenv("PGPORT"),
    "database" => getenv("PGDATABASE"), "username" => getenv("PGUSER"), "password" => getenv("PGPASSWORD") ?: null]);
$laravel->setAsGlobal();
$laravel->bootEloquent();
$db = $laravel->getConnection();
$create = fn (string $table, callable $columns) => $db->getSchemaBuilder()->create($table, $columns);
$definition = fn (string $table) => $db->selectOne("SELECT format_type(atttypid, atttypmod) AS type,
        pg_get_expr(adbin, adrelid) AS default FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = ?::regclass AND attname = 'id'", [$table]);
$db->statement("DROP TABLE event, legacy");

$event = function (Blueprint $table) use ($db) {
    $table->addColumn("luuid", "id")->primary()->default($db->raw("luuid_generate_v7()"));
    $table->text("what")->default("");
};
try {
    $create("event", $event);
    check("untold, it makes no such column", "a table", "an error");
} catch (BadMethodCallException $error) {
    check("untold, it makes no such column", str_contains($error->getMessage(), "typeLuuid"), true);
}

require "luuid_laravel.php";
$create("event", $event);
check("told, it does", (array) $definition("event"), ["type" => "luuid", "default" => "luuid_generate_v7()"]);
$found = fn ($events) => $events->orderBy("id")->pluck("id")->all();

contract(fn ($id) => Event::create(["id" => $id]), fn () => Event::create()->id,
    fn ($condition, ...$values) => $found(Event::whereRaw($condition, $values)), fn () => Event::truncate());
check("an id finds its row", Event::find($ids[2])->id, $ids[2]);
check("a list finds its rows", $found(Event::whereIn("id", [$ids[3], $ids[0]])), [$ids[0], $ids[3]]);
check("pages of a few rows follow the order of time", Event::lazyById(3)->pluck("id")->all(), $ids);
$since = fn ($time) => $found(Event::whereRaw("id >= ?::timestamptz", [$time]));
check("a DateTime loses its fraction and its zone", $since(new DateTimeImmutable("2022-02-23T00:00:00.5+05:00")),
    $since("2022-02-23 00:00:00"));

$create("legacy", function (Blueprint $table) use ($db) {
    $table->uuid("id")->primary()->default($db->raw("luuid_generate_v7()"));
    $table->rawIndex("(id::luuid)", "legacy_by_time");
});
check("a uuid column has its default", (array) $definition("legacy"),
    ["type" => "uuid", "default" => "luuid_generate_v7()"]);
check("... and its index by time", $db->selectOne("SELECT pg_get_indexdef('legacy_by_time'::regclass) AS index")->index,
    "CREATE INDEX legacy_by_time ON public.legacy USING btree (((id)::luuid))");

done();

<?php
// Laravel: what its migrations make, and ids as strings in Eloquent.
// needs: release
require "loop.php";
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
    own("untold, it makes no such column", "a table", "an error");
} catch (BadMethodCallException $error) {
    own("untold, it makes no such column", str_contains($error->getMessage(), "typeLuuid"), true);
}

require "luuid_laravel.php";
$create("event", $event);
own("told, it does", (array) $definition("event"), ["type" => "luuid", "default" => "luuid_generate_v7()"]);
$found = fn ($events) => $events->orderBy("id")->pluck("id")->all();

$ids = ["20be0ffc-314a-bd53-7a50-013a65ca76d2", "c232ab00-9414-11ec-b3c8-9f6bdeced846", "017f22e2-79b1-7cc3-98c4-dc0c0c07398f"];
foreach ($ids as $id) {
    Event::create(["id" => $id]);
}
own("an id finds its row", Event::find($ids[1])->id, $ids[1]);
own("a page of a row follows the order of time", Event::lazyById(1)->pluck("id")->all(), $found(Event::query()));
$since = fn ($time) => $found(Event::whereRaw("id >= ?::timestamptz", [$time]));
own("a DateTime loses its fraction and its zone", $since(new DateTimeImmutable("2022-02-23T00:00:00.5+05:00")),
    $since("2022-02-23 00:00:00"));

$create("legacy", function (Blueprint $table) use ($db) {
    $table->uuid("id")->primary()->default($db->raw("luuid_generate_v7()"));
    $table->rawIndex("(id::luuid)", "legacy_by_time");
});
own("a uuid column has its default", (array) $definition("legacy"),
    ["type" => "uuid", "default" => "luuid_generate_v7()"]);
own("... and its index by time", $db->selectOne("SELECT pg_get_indexdef('legacy_by_time'::regclass) AS index")->index,
    "CREATE INDEX legacy_by_time ON public.legacy USING btree (((id)::luuid))");

serve("mapper\tLaravel", [
    "insert" => fn (...$ids) => count(array_map(fn ($id) => Event::create(["id" => $id]), $ids)),
    "generate" => fn () => [Event::create()->id],
    "find" => fn ($id) => $found(Event::where("id", $id)),
    "refuse" => fn ($id) => $found(Event::where("id", $id)),
    "among" => fn (...$ids) => $found(Event::whereIn("id", $ids)),
    "since" => fn ($time) => $found(Event::whereRaw("id >= ?::timestamptz", [$time])),
    "ordered" => fn () => $found(Event::query()),
]);

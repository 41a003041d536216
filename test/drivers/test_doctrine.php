<?php
// Doctrine DBAL: ids as strings, and schemas that it reads and compares.
// needs: release
require "loop.php";
require_once "Doctrine/DBAL/autoload.php";

use Doctrine\DBAL\ArrayParameterType;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\ParameterType;
use Doctrine\DBAL\Schema\Schema;
use Doctrine\ORM\Mapping as ORM;

function connection() {
    return DriverManager::getConnection(["driver" => "pdo_pgsql", "host" => getenv("PGHOST"), "port" => getenv("PGPORT"),
        "dbname" => getenv("PGDATABASE"), "user" => getenv("PGUSER"), "password" => getenv("PGPASSWORD") ?: null]);
}
$db = connection();

try {
    $db->createSchemaManager()->listTableColumns("event");
    own("untold, it reads no schema", "nothing", "an error");
} catch (Doctrine\DBAL\Exception $error) {
    // DBAL 4 quotes the type.
    $untold = preg_match('/Unknown database type "?luuid"? requested/', $error->getMessage());
    own("untold, it reads no schema", $untold, 1);
}

require "luuid_doctrine.php";
$db = connection();
$manager = $db->createSchemaManager();
$schema = function () {
    $schema = new Schema();
    foreach (["event" => ["luuid", "luuid"], "legacy" => ["guid", "uuid"]] as $name => [$type, $sql_type]) {
        $table = $schema->createTable($name);
        $table->addColumn("id", $type,
            ["default" => "luuid_generate_v7()", "columnDefinition" => "$sql_type NOT NULL DEFAULT luuid_generate_v7()"]);
        $table->addColumn("what", "text", ["default" => ""]);
        $table->setPrimaryKey(["id"]);
    }
    return $schema;
};
$migration = fn () => $db->getDatabasePlatform()->getAlterSchemaSQL(
    $manager->createComparator()->compareSchemas($manager->introspectSchema(), $schema()));

own("it reads the type", $manager->introspectTable("event")->getColumn("id")->getType()::class, Luuid::class);
own("a migration changes nothing, and leaves the index by time of a uuid column", $migration(), []);
$db->executeStatement("CREATE INDEX legacy_by_class ON legacy (id uuid_time_ops)");
own("... but drops one of the class that the schema does not name", $migration(), ["DROP INDEX legacy_by_class"]);

$db->executeStatement("DROP TABLE event, legacy");
foreach ($schema()->toSql($db->getDatabasePlatform()) as $statement) {
    $db->executeStatement($statement);
}
own("... nor in tables of its making", $migration(), []);
$found = fn (string $condition, ...$values) => $db->fetchFirstColumn("SELECT id FROM event WHERE $condition ORDER BY id", $values,
    array_map(fn ($value) => is_array($value) ? ArrayParameterType::STRING : ParameterType::STRING, $values));

// The ORM, if there is one: a foreign key with options of its own, as in the documentation, and one without.
#[ORM\Entity, ORM\Table(name: "sheet")]
class Sheet
{
    #[ORM\Id, ORM\Column(type: "luuid", options: ["default" => "luuid_generate_v7()"],
        columnDefinition: "luuid NOT NULL DEFAULT luuid_generate_v7()")]
    public string $id;
    #[ORM\ManyToOne(targetEntity: Sheet::class), ORM\JoinColumn(columnDefinition: "luuid", options: ["default" => null])]
    public ?Sheet $parent;
}
#[ORM\Entity, ORM\Table(name: "heir")]
class Heir
{
    #[ORM\Id, ORM\Column(type: "luuid")]
    public string $id;
    #[ORM\ManyToOne(targetEntity: Sheet::class)]
    public ?Sheet $parent;
}
if ((@include_once "Doctrine/ORM/autoload.php") !== false) {
    $config = new Doctrine\ORM\Configuration();
    $config->setMetadataDriverImpl(new Doctrine\ORM\Mapping\Driver\AttributeDriver([]));
    $config->setProxyDir(sys_get_temp_dir());
    $config->setProxyNamespace("Proxies");
    $manager = new Doctrine\ORM\EntityManager($db, $config);
    $tool = new Doctrine\ORM\Tools\SchemaTool($manager);
    foreach ([Sheet::class => [], Heir::class => ["ALTER TABLE heir ALTER parent_id DROP NOT NULL"]] as $entity => $changes) {
        $classes = [$manager->getClassMetadata(Sheet::class), $manager->getClassMetadata($entity)];
        $tool->updateSchema($classes, true);
        own("the ORM's second run, $entity", $tool->getUpdateSchemaSql($classes, true), $changes);
    }
}

serve("mapper\tDoctrine", [
    "insert" => fn (...$ids) => count(array_map(fn ($id) => $db->insert("event", ["id" => $id]), $ids)),
    "generate" => fn () => $db->fetchFirstColumn("INSERT INTO event DEFAULT VALUES RETURNING id"),
    "find" => fn ($id) => $found("id = ?", $id),
    "refuse" => fn ($id) => $found("id = ?", $id),
    "among" => fn (...$ids) => $found("id IN (?)", $ids),
    "since" => fn ($time) => $found("id >= ?::timestamptz", $time),
    "ordered" => fn () => $found("true"),
]);

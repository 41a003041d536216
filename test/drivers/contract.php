<?php
// What the suites in PHP share: the ids to store, and a check that prints TAP.
$rows = array_map(fn ($line) => explode("\t", $line), file(getenv("LUUID_IDS"), FILE_IGNORE_NEW_LINES));
// In chronological order.
$ids = array_column($rows, 0);
$times = array_column($rows, 1);

$tests = $failed = 0;
function check(string $name, $got, $expected): void {
    global $tests, $failed;
    $failed += $got !== $expected;
    printf("%sok %d - %s\n", $got === $expected ? "" : "not ", ++$tests, $name);
    if ($got !== $expected) {
        echo "# got ", json_encode($got), "\n# not ", json_encode($expected), "\n";
    }
}

// With functions that insert an id, generate one, and list the ids that a condition with values holds for, in order.
function contract(callable $insert, callable $generate, callable $found, callable $truncate): void {
    global $ids, $times;
    array_map($insert, array_reverse($ids));
    check("ids of the client are stored and read back", $found("true"), $ids);
    check("an id finds its row", $found("id = ?", $ids[2]), [$ids[2]]);
    foreach (array_filter(array_unique($times)) as $i => $time) {
        check("a time finds the rows since", $found("id >= ?::timestamptz", $time), array_slice($ids, $i));
    }
    $truncate();
    $made = array_map($generate, range(1, 20));
    check("ids of the server come back as made", $found("true"), $made);
    $truncate();
    array_map($insert, $ids);
}

function done(): never {
    global $tests, $failed;
    echo "1..$tests\n";
    exit($failed ? 1 : 0);
}

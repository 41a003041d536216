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

function done(): never {
    global $tests, $failed;
    echo "1..$tests\n";
    exit($failed ? 1 : 0);
}

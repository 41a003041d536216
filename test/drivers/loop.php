<?php
// What the programs in PHP share: they write what they checked themselves, and then answer programs.py.
function own(string $name, $got, $expected): void {
    echo implode("\t", ["own", $name, json_encode($got), json_encode($expected)]), "\n";
}

// With functions for the driver's commands or kinds, by name. What they return is no answer unless it is an array.
function serve(string $driver, array $commands): never {
    echo "$driver\nready\n";
    while (($line = fgets(STDIN)) !== false) {
        [, $command, $values] = explode("\t", rtrim($line, "\n") . "\t", 3);
        try {
            $answer = $commands[$command](...array_filter(explode("\t", $values)));
        } catch (Exception $error) {
            // A driver may have wrapped PDO's.
            $answer = ["error", method_exists($error, "getSQLState") ? $error->getSQLState() : $error->getCode()];
        }
        echo implode("\t", is_array($answer) ? $answer : []), "\n";
    }
    exit;
}

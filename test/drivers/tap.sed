# Of Node.js's TAP: what a failed test says goes to stderr, since Perl's parser does not read this YAML.
/^\(    \)*  ---$/,/^\(    \)*  \.\.\.$/ {
    /^ *\(---\|\.\.\.\|duration_ms: .*\|type: .*\)$/d
    s/^/#/w /dev/stderr
    d
}

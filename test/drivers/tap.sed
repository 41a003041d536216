# Moves the YAML of failed tests in Node.js's TAP to stderr, since Perl's parser does not read it.
/^\(    \)*  ---$/,/^\(    \)*  \.\.\.$/ {
    /^ *\(---\|\.\.\.\|duration_ms: .*\|type: .*\)$/d
    s/^/#/w /dev/stderr
    d
}

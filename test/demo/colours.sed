# Colours what demo.sql prints on a terminal: headings, bars, and the fields of an id, each as it is in the legend.
s/^== (.*)/\x1b[1m\1\x1b[0m/
s/#+/\x1b[36m&\x1b[0m/g
s/\<([0-9a-fw]{8})-([0-9a-fx]{4})-b([0-9a-fy]{3}-[0-9a-fy]{4})-([0-9a-fz]{12})\>/\x1b[33m\1\x1b[0m-\x1b[35m\2\x1b[0m-b\x1b[34m\3\x1b[0m-\x1b[32m\4\x1b[0m/g
s/^(   counter) ( pid) ( +node) ( +milliseconds.*)/\x1b[33m\1\x1b[0m \x1b[35m\2\x1b[0m \x1b[34m\3\x1b[0m \x1b[32m\4\x1b[0m/
s/\<([0-9a-fz]{8}-[0-9a-fz]{4})-7([0-9a-fr]{3}-[89abv][0-9a-fr]{3}(-[0-9a-fr]{12})?)\>/\x1b[32m\1\x1b[0m-7\x1b[33m\2\x1b[0m/g
s/^(   milliseconds)(  fraction.*)/\x1b[32m\1\x1b[33m\2\x1b[0m/

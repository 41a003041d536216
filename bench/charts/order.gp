# What do an index and a sort cost?
width = 900; height = 520
load 'bench/charts/style.inc'
peers = 'bigint|uuid v4|uuid v7|luuid v7|luuid variable|luuid sequential'

set multiplot layout 2, 2 title 'What do an index and a sort of the ids cost? (ms, shorter is better)' \
    margins 0.14, 0.98, 0.08, 0.86 spacing 0.16, 0.12
set label 1 caption('order') at screen 0.5, 0.025 center
call 'bench/charts/bars.inc' 'CREATE INDEX, ids in order' 'order' 'CREATE INDEX, as made, ms' peers
unset label 1
call 'bench/charts/bars.inc' 'CREATE INDEX, ids shuffled' 'order' 'CREATE INDEX, shuffled, ms' peers
call 'bench/charts/bars.inc' 'ORDER BY, ids in order' 'order' 'ORDER BY, as made, ms' peers
call 'bench/charts/bars.inc' 'ORDER BY, ids shuffled' 'order' 'ORDER BY, shuffled, ms' peers

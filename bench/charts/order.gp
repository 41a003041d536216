# What do an index and a sort cost?
height = 520
load 'bench/charts/style.inc'
peers = 'bigint|uuid v4|uuid v7|luuid v7|luuid variable|luuid sequential'

set multiplot layout 2, 2 title 'What do an index and a sort of the ids cost? (ms, shorter is better)' \
    margins 0.23, 0.98, 0.11, 0.84 spacing 0.23, 0.15
set label 1 caption('order') at screen 0.5, 0.06 center
call 'bench/charts/bars.inc' "CREATE INDEX,\nids in order" 'order' 'CREATE INDEX, as made, ms' peers
unset label 1
call 'bench/charts/bars.inc' "CREATE INDEX,\nids shuffled" 'order' 'CREATE INDEX, shuffled, ms' peers
call 'bench/charts/bars.inc' "ORDER BY,\nids in order" 'order' 'ORDER BY, as made, ms' peers
call 'bench/charts/bars.inc' "ORDER BY,\nids shuffled" 'order' 'ORDER BY, shuffled, ms' peers

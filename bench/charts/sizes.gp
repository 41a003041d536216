# How many bytes of index and of log does a row cost?
height = 520
load 'bench/charts/style.inc'
peers = 'bigint|uuid v4|uuid v7|luuid v7|luuid variable|luuid sequential'

set multiplot layout 2, 2 title 'How many bytes does a row cost besides itself? (shorter is better)' \
    margins 0.26, 0.98, 0.11, 0.84 spacing 0.26, 0.15
set label 1 caption('insert slice') at screen 0.5, 0.06 center
call 'bench/charts/bars.inc' "Primary key,\nbytes a row" 'insert' 'primary key, bytes a row' peers
unset label 1
call 'bench/charts/bars.inc' "Indexes for key and\ntime, bytes a row" \
    'slice' 'indexes for key and time, bytes a row' '.*'
call 'bench/charts/bars.inc' "WAL of a bulk load,\nbytes a row" 'insert' 'bulk, WAL bytes a row' peers
call 'bench/charts/bars.inc' "WAL of single rows,\n8 clients, bytes a row" \
    'insert' '8 clients, WAL bytes a row' peers

# Does a row cost more to insert as the table grows?
height = 720
load 'bench/charts/style.inc'
if (about(1) >= 18) {
    array peers[6] = ['bigint', 'uuid v4', 'uuid v7', 'luuid v7', 'luuid variable', 'luuid sequential']
} else {
    array peers[5] = ['bigint', 'uuid v4', 'luuid v7', 'luuid variable', 'luuid sequential']
}

set multiplot layout 2, 1 title 'Does a row cost more to insert as the table grows?' \
    margins 0.1, 0.98, 0.29, 0.9 spacing 0.15
set label 1 "shared_buffers 64 MB, 100 bytes of payload. Where lines meet,\neach has a smaller point than the one below it." \
    at screen 0.5, 0.12 center
set label 2 caption('scale') at screen 0.5, 0.05 center
do for [i = 1:|peers|] {
    set label i + 2 peers[i] at screen 0.1 + 0.3 * ((i - 1) % 3), 0.18 - 0.025 * ((i - 1) / 3) textcolor rgb colour(peers[i]) \
        point pointtype 7 linecolor rgb colour(peers[i]) offset 1, 0
}
set logscale x
set grid ytics linecolor '#b0b0b0' linetype 1
set xlabel 'rows in the table, millions'
set yrange [0:*]
call 'bench/charts/lines.inc' 'Time: µs a row, less is better' 'µs'
unset label
call 'bench/charts/lines.inc' 'Write-ahead log: bytes a row, less is better' 'WAL bytes'

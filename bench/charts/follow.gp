# What does it cost writers that others follow their table, and how soon do these have a row?
height = 720
load 'bench/charts/style.inc'
array peers[5] = ['nobody', 'luuid_wait', 'luuid_wait, 10 readers', 'NOTIFY', 'poll every 100 ms']
array colours[5] = [0x7f7f7f, 0x009e73, 0x0072b2, 0xd55e00, 0xcc79a7]

set multiplot layout 2, 1 title "What does it cost that others follow a table,\nand how soon do they have a row?" \
    margins 0.11, 0.98, 0.27, 0.88 spacing 0.15
set label 1 caption('follow')."\nOne row a transaction, fsync on." at screen 0.5, 0.065 center
do for [i = 1:|peers|] {
    set label i + 1 peers[i] at screen i % 2 ? 0.06 : 0.5, 0.16 - 0.025 * ((i - 1) / 2) textcolor rgb colours[i] \
        point pointtype 7 linecolor rgb colours[i] offset 1, 0
}
set logscale x
set grid ytics linecolor '#b0b0b0' linetype 1
set xlabel 'writers'
# Lines of writers, peer and median.
data(peer, what) = medians('follow', sprintf('$2 == "%s" && sub(/ writers?, %s$/, "", $1)', peer, what))
do for [panel = 1:2] {
    what = panel == 1 ? 'commits a second' : 'ms to the reader: median'
    set title panel == 1 ? 'Commits a second, more is better' : 'Median from commit to reader: ms, less is better'
    if (panel == 1) { set yrange [0:*] } else { set logscale y; set yrange [0.1:100] }
    # Of nobody there is no reader.
    plot for [i = panel:|peers|] data(peers[i], what) using 1:3:xticlabels(1) \
        with linespoints linewidth 2 pointtype 7 pointsize 1.2 - 0.15 * i linecolor rgb colours[i]
    unset label
}

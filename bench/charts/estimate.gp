# Does the planner know how many rows a time range has?
width = 900; height = 700
load 'bench/charts/style.inc'
array peers[3] = ['timestamptz', 'luuid v7', 'uuid v7']
array names[3] = ['a timestamptz column', 'luuid', 'uuid v7, bounds made by hand']
array rates[2] = ['steady', 'with empty nights']

set multiplot layout 2, 3 title 'How many rows the planner expects of a time range, and how many there are' \
    margins 0.08, 0.98, 0.15, 0.88 spacing 0.05, 0.13
set label 1 'On the line: as many as there are. Below it: too few, and a plan for few rows.' at screen 0.5, 0.05 center
set label 2 sprintf("bench/run estimate    PostgreSQL %s. A second to 50 of 100 days, at random places.", about(2)) \
    at screen 0.5, 0.02 center
set logscale xy
set format '%.0s%c'
set xrange [1:1e6]
set yrange [1:1e6]
set grid linecolor '#b0b0b0' linetype 1
do for [row = 1:2] {
    if (row == 2) { set xlabel 'rows there are' }
    do for [i = 1:3] {
        set title names[i].(row == 1 ? ', steady' : ', empty nights')
        if (i == 1) { set ylabel 'rows expected' } else { unset ylabel; unset label }
        plot x with lines linecolor '#999999' notitle, \
            sprintf("< awk -F'\\t' -v OFS='\\t' '$1 == \"%s\" && $2 == \"%s\"' '%s/estimate-points.tsv'", rates[row], peers[i], results) \
                using ($3 < 1 ? 1 : $3):($4 < 1 ? 1 : $4) with points pointtype 7 pointsize 0.35 linecolor rgb colour(peers[i])
    }
}

# Does the planner know how many rows a time range has?
height = 900
load 'bench/charts/style.inc'
array peers[3] = ['timestamptz', 'luuid v7', 'uuid v7']
array names[3] = ['a timestamptz column', 'luuid', 'uuid v7, bounds made by hand']
array rates[2] = ['steady', 'with empty nights']

set multiplot layout 3, 2 title "How many rows the planner expects of a time range,\nand how many there are" \
    margins 0.13, 0.97, 0.15, 0.89 spacing 0.09, 0.1
set label 1 "On the line: as many as there are.\nBelow it: too few, and a plan for few rows." at screen 0.5, 0.08 center
set label 2 sprintf("bench/run estimate    PostgreSQL %s.\nA second to 50 of 100 days, at random places.", about(2)) \
    at screen 0.5, 0.035 center
set logscale xy
set format '%.0s%c'
set xrange [1:1e6]
set yrange [1:1e6]
set grid linecolor '#b0b0b0' linetype 1
do for [i = 1:3] {
    if (i == 3) { set xlabel 'rows there are' }
    do for [rate = 1:2] {
        set title names[i]."\n".rates[rate]
        if (rate == 1) { set ylabel 'rows expected' } else { unset ylabel; unset label }
        plot x with lines linecolor '#999999' notitle, \
            sprintf("< awk -F'\\t' -v OFS='\\t' '$1 == \"%s\" && $2 == \"%s\"' '%s/estimate-points.tsv'", rates[rate], peers[i], results) \
                using ($3 < 1 ? 1 : $3):($4 < 1 ? 1 : $4) with points pointtype 7 pointsize 0.35 linecolor rgb colour(peers[i])
    }
}

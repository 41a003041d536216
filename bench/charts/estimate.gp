# Does the planner know how many rows a time range has?
width = 900; height = 400
load 'bench/charts/style.inc'
array peers[3] = ['timestamptz', 'luuid variable', 'uuid v7']

set multiplot layout 1, 3 title 'How many rows the planner expects of a time range, and how many there are' \
    margins 0.08, 0.98, 0.24, 0.8 spacing 0.05
set label 1 'On the line: as many as there are. Below it: too few, and a plan for few rows.' at screen 0.5, 0.08 center
set label 2 sprintf("bench/run estimate    PostgreSQL %s. A second to 50 of 100 days, at random places.", about(2)) \
    at screen 0.5, 0.03 center
set logscale xy
set format '%.0s%c'
set xrange [1:1e6]
set yrange [1:1e6]
set xlabel 'rows there are'
set grid linecolor '#b0b0b0' linetype 1
do for [i = 1:3] {
    set title peers[i] eq 'uuid v7' ? 'uuid v7, bounds made by hand' : peers[i] eq 'timestamptz' ? 'a timestamptz column' : 'luuid'
    if (i == 1) { set ylabel 'rows expected' } else { unset ylabel; unset label }
    plot x with lines linecolor '#999999' notitle, \
        sprintf("< awk -F'\\t' '$1 == \"%s\"' '%s/estimate-points.tsv'", peers[i], results) \
            using ($2 < 1 ? 1 : $2):($3 < 1 ? 1 : $3) with points pointtype 7 pointsize 0.35 linecolor rgb colour(peers[i])
}

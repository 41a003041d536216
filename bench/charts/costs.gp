# What does an id cost?
height = 720
load 'bench/charts/style.inc'
peers = 'bigint|uuid v4|uuid v7|luuid v7|luuid variable|luuid sequential'
types = 'bigint|uuid|luuid'

set multiplot layout 3, 2 title "What does an id cost to generate, to read,\nto print, to insert? (shorter is better)" \
    margins 0.23, 0.98, 0.08, 0.89 spacing 0.23, 0.08
set label 1 caption('generate text insert') at screen 0.5, 0.045 center
call 'bench/charts/bars.inc' 'Generate one in SQL: ns' 'generate' 'ns an id' peers
unset label 1
call 'bench/charts/bars.inc' 'Read its text: ns' 'text' 'in, ns' types
call 'bench/charts/bars.inc' 'Print it: ns' 'text' 'out, ns' types
call 'bench/charts/bars.inc' 'Insert in bulk: µs a row' 'insert' 'bulk, µs a row' peers
call 'bench/charts/bars.inc' 'COPY in: ns a row' 'text' 'COPY in, ns a row' types
call 'bench/charts/bars.inc' 'COPY out: ns a row' 'text' 'COPY out, ns a row' types

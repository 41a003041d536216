// What the programs in Go share: the ids that each stores, and TAP.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"reflect"
)

var tests, failed int

func check(name string, got, expected interface{}) {
	tests++
	if reflect.DeepEqual(got, expected) {
		fmt.Printf("ok %d - %s\n", tests, name)
		return
	}
	failed++
	fmt.Printf("not ok %d - %s\n# got %v\n# not %v\n", tests, name, got, expected)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// The ids in chronological order, and the time of each or "".
func read() (ids []string, times []string) {
	file, err := os.Open(os.Getenv("LUUID_IDS"))
	must(err)
	reader := csv.NewReader(file)
	reader.Comma = '\t'
	rows, err := reader.ReadAll()
	must(err)
	for _, row := range rows {
		ids = append(ids, row[0])
		times = append(times, row[1])
	}
	return
}

func finish() {
	fmt.Printf("1..%d\n", tests)
	if failed > 0 {
		os.Exit(1)
	}
}

// What the programs in Go share: they write what they checked themselves, and then answer programs.py.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func own(name string, got, expected interface{}) {
	fmt.Printf("own\t%s\t%v\t%v\n", name, got, expected)
}

func timeOf(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	must(err)
	return at
}

// A driver does what a command says, and returns ids.
type driver = func(command string, values ...string) ([]string, error)

func serve(kind string, drivers map[string]driver) {
	for name := range drivers {
		fmt.Printf("%s\t%s\n", kind, name)
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Split(lines.Text(), "\t")
		ids, err := drivers[words[0]](words[1], words[2:]...)
		var refused interface{ SQLState() string }
		if errors.As(err, &refused) {
			ids = []string{"error", refused.SQLState()}
		} else {
			must(err)
		}
		fmt.Println(strings.Join(ids, "\t"))
	}
}

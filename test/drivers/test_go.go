// pgx and lib/pq: ids are [16]byte once pgx is told of the type, and strings before; strings to lib/pq. Prints TAP. What
// is written for pgx 4 holds for 5 as well.
package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"strings"
	"time"

	"github.com/jackc/pgx/v4"
	"github.com/lib/pq"
)

var ctx = context.Background()

func refusal(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

func bytesOf(text string) (id [16]byte) {
	bytes, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	must(err)
	copy(id[:], bytes)
	return
}

// What a driver must do; found runs a query that gives ids as text.
func contract(name string, ids, times []string, exec func(string, ...interface{}) error,
	found func(string, ...interface{}) []string, array func([]string) interface{}) {
	must(exec("TRUNCATE event"))
	for i := range ids {
		must(exec("INSERT INTO event (id) VALUES ($1)", ids[len(ids)-1-i]))
	}
	check(name+": ids of the client are stored and read back", found("SELECT id FROM event ORDER BY id"), ids)
	check(name+": an id finds its row", found("SELECT id FROM event WHERE id = $1", ids[2]), ids[2:3])
	among := found("SELECT id FROM event WHERE id = ANY ($1) ORDER BY id", array([]string{ids[5], ids[0]}))
	check(name+": an array finds its rows", among, []string{ids[0], ids[5]})
	seen := map[string]bool{"": true}
	for i, text := range times {
		if !seen[text] {
			since, err := time.Parse(time.RFC3339Nano, text)
			must(err)
			later := found("SELECT id FROM event WHERE id >= $1::timestamptz ORDER BY id", since)
			check(name+": a time finds the rows since", later, ids[i:])
		}
		seen[text] = true
	}
	must(exec("TRUNCATE event"))
	var made []string
	for i := 0; i < 20; i++ {
		made = append(made, found("INSERT INTO event DEFAULT VALUES RETURNING id")...)
	}
	check(name+": ids of the server come back as made", found("SELECT id FROM event ORDER BY id"), made)
}

func main() {
	ids, times := read()
	db, err := sql.Open("postgres", "sslmode=disable")
	must(err)
	contract("lib/pq", ids, times, func(query string, values ...interface{}) error {
		_, err := db.Exec(query, values...)
		return err
	}, func(query string, values ...interface{}) (found []string) {
		rows, err := db.Query(query, values...)
		must(err)
		for rows.Next() {
			var id string
			must(rows.Scan(&id))
			found = append(found, id)
		}
		return
	}, func(ids []string) interface{} { return pq.Array(ids) })

	connection, err := pgx.Connect(ctx, "")
	must(err)
	asText := func(ids []string) interface{} { return "{" + strings.Join(ids, ",") + "}" }
	pgxFound := func(query string, values ...interface{}) (found []string) {
		rows, err := connection.Query(ctx, query, values...)
		must(err)
		for rows.Next() {
			var id string
			must(rows.Scan(&id))
			found = append(found, id)
		}
		must(rows.Err())
		return
	}
	pgxExec := func(query string, values ...interface{}) error {
		_, err := connection.Exec(ctx, query, values...)
		return err
	}
	contract("pgx, untold", ids, times, pgxExec, pgxFound, asText)

	id := bytesOf(ids[2])
	var back [16]byte
	copied := func() error {
		_, err := connection.CopyFrom(ctx, pgx.Identifier{"event"}, []string{"id"}, pgx.CopyFromRows([][]interface{}{{id}}))
		return err
	}
	const pgx4, pgx5 = "must implement Encoder", "cannot find encode plan"
	for name, err := range map[string]error{
		"bytes": connection.QueryRow(ctx, "SELECT $1::luuid", id).Scan(&back), "CopyFrom": copied(),
	} {
		message := refusal(err)
		check("pgx, untold: "+name+": refused", strings.Contains(message, pgx4) || strings.Contains(message, pgx5), true)
	}

	must(registerLuuid(ctx, connection))
	contract("pgx", ids, times, pgxExec, pgxFound, func(ids []string) interface{} {
		var bytes [][16]byte
		for _, id := range ids {
			bytes = append(bytes, bytesOf(id))
		}
		return bytes
	})
	must(connection.QueryRow(ctx, "SELECT $1::luuid", id).Scan(&back))
	check("pgx: bytes both ways", back, id)
	must(pgxExec("TRUNCATE event"))
	must(copied())
	check("pgx: CopyFrom", pgxFound("SELECT id FROM event"), ids[2:3])

	finish()
}

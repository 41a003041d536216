// pgx and lib/pq: ids are [16]byte once pgx is told of the type, and strings before; strings to lib/pq. What is written for
// pgx 4 holds for 5 as well.
package main

import (
	"context"
	"database/sql"
	"encoding/hex"
	"strings"

	"github.com/jackc/pgx/v4"
	"github.com/lib/pq"
)

var ctx = context.Background()

func bytesOf(text string) (id [16]byte) {
	bytes, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	must(err)
	copy(id[:], bytes)
	return
}

type rows interface {
	Next() bool
	Scan(...interface{}) error
	Err() error
}

// A driver with which a query gives rows, and an array is a value of its own.
func sqlDriver(query func(string, ...interface{}) (rows, error), array func([]string) interface{}) (answer driver) {
	answer = func(kind string, values ...string) (found []string, err error) {
		statement, values := values[0], values[1:]
		var parameters []interface{}
		switch kind {
		case "each":
			for _, id := range values {
				_, err = answer("id", statement, id)
				must(err)
			}
			return
		case "ids":
			parameters = append(parameters, array(values))
		case "time":
			parameters = append(parameters, timeOf(values[0]))
		case "id", "text":
			parameters = append(parameters, values[0])
		}
		rows, err := query(statement, parameters...)
		for err == nil && rows.Next() {
			var text string
			err = rows.Scan(&text)
			found = append(found, text)
		}
		if err == nil {
			err = rows.Err()
		}
		return
	}
	return
}

func main() {
	db, err := sql.Open("postgres", "sslmode=disable")
	must(err)
	db.SetMaxOpenConns(1) // which keeps its settings
	untold, err := pgx.Connect(ctx, "")
	must(err)
	told, err := pgx.Connect(ctx, "")
	must(err)
	must(registerLuuid(ctx, told))
	queryOf := func(connection *pgx.Conn) func(string, ...interface{}) (rows, error) {
		return func(statement string, values ...interface{}) (rows, error) {
			return connection.Query(ctx, statement, values...)
		}
	}

	const text = "20be0ffc-314a-bd53-7a50-013a65ca76d2"
	id := bytesOf(text)
	echo := func(connection *pgx.Conn) (back [16]byte, err error) {
		err = connection.QueryRow(ctx, "SELECT $1::luuid", id).Scan(&back)
		return
	}
	copied := func(connection *pgx.Conn) (int64, error) {
		return connection.CopyFrom(ctx, pgx.Identifier{"event"}, []string{"id"}, pgx.CopyFromRows([][]interface{}{{id}}))
	}
	const pgx4, pgx5 = "must implement Encoder", "cannot find encode plan"
	_, noBytes := echo(untold)
	_, noCopy := copied(untold)
	for name, refused := range map[string]error{"bytes": noBytes, "CopyFrom": noCopy} {
		message := refused.Error()
		own("pgx, untold: "+name+": refused", strings.Contains(message, pgx4) || strings.Contains(message, pgx5), true)
	}
	back, err := echo(told)
	must(err)
	own("pgx: bytes both ways", back, id)
	_, err = copied(told)
	must(err)
	var stored string
	must(told.QueryRow(ctx, "SELECT id::text FROM event").Scan(&stored))
	own("pgx: CopyFrom", stored, text)

	serve("sql", map[string]driver{
		"lib/pq": sqlDriver(func(statement string, values ...interface{}) (rows, error) { return db.Query(statement, values...) },
			func(ids []string) interface{} { return pq.Array(ids) }),
		"pgx, untold": sqlDriver(queryOf(untold), func(ids []string) interface{} { return "{" + strings.Join(ids, ",") + "}" }),
		"pgx": sqlDriver(queryOf(told), func(ids []string) interface{} {
			bytes := [][16]byte{}
			for _, id := range ids {
				bytes = append(bytes, bytesOf(id))
			}
			return bytes
		}),
	})
}

// GORM 2 over pgx 5: an id is a string, once the model names the column's type. Prints TAP.
// needs: release
package main

import (
	"time"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Refers to an event by a column that is no key.
type Payment struct {
	ID      string `gorm:"type:luuid;primaryKey;default:luuid_generate_v7()"`
	EventID string `gorm:"type:luuid"`
	Event   Event
}

// A column that stays uuid, with the index by time.
type Legacy struct {
	ID string `gorm:"type:uuid;primaryKey;default:luuid_generate_v7();index:legacy_by_time,expression:id uuid_time_ops"`
}

func (Legacy) TableName() string { return "legacy" }

type Misled struct {
	ID      string `gorm:"type:uuid;primaryKey"`
	EventID string `gorm:"type:uuid"`
}

func (Misled) TableName() string { return "payments" }

func main() {
	ids, times := read()
	db, err := gorm.Open(postgres.Open(""), &gorm.Config{})
	must(err)
	strings := func(query *gorm.DB) (found []string) {
		must(query.Scan(&found).Error)
		return
	}
	// What the tables are, by their columns and indexes.
	tables := func() []string {
		return strings(db.Raw(`SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod),
				pg_get_expr(adbin, adrelid)) AS what
			FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
			WHERE attrelid IN ('event'::regclass, 'payments'::regclass, 'legacy'::regclass) AND attnum > 0 AND attname LIKE '%id'
			UNION ALL SELECT indexdef FROM pg_indexes WHERE indexname = 'legacy_by_time' ORDER BY what`))
	}
	expected := []string{
		"CREATE INDEX legacy_by_time ON public.legacy USING btree (id uuid_time_ops)",
		"event id luuid luuid_generate_v7()",
		"legacy id uuid luuid_generate_v7()",
		"payments event_id luuid",
		"payments id luuid luuid_generate_v7()",
	}

	must(db.AutoMigrate(&Event{}, &Payment{}, &Legacy{}))
	check("AutoMigrate leaves existing tables alone", tables(), expected)
	must(db.Migrator().DropTable(&Payment{}, &Event{}, &Legacy{}))
	must(db.AutoMigrate(&Event{}, &Payment{}, &Legacy{}))
	check("AutoMigrate makes the columns and the index by time", tables(), expected)
	must(db.AutoMigrate(&Misled{}))
	expected[3] = "payments event_id uuid"
	check("a column that the model calls uuid becomes one, unless it is the key", tables(), expected)

	found := func(condition string, values ...interface{}) []string {
		return strings(db.Model(&Event{}).Where(condition, values...).Order("id").Select("id"))
	}
	for i := range ids {
		must(db.Create(&Event{ID: ids[len(ids)-1-i]}).Error)
	}
	check("ids of the client are stored and read back", found("true"), ids)
	var event Event
	must(db.First(&event, "id = ?", ids[2]).Error)
	check("an id finds its row", event.ID, ids[2])
	check("a list finds its rows", found("id IN ?", []string{ids[5], ids[0]}), []string{ids[0], ids[5]})
	seen := map[string]bool{"": true}
	for i, text := range times {
		if !seen[text] {
			since, err := time.Parse(time.RFC3339Nano, text)
			must(err)
			check("a time finds the rows since", found("id >= ?::timestamptz", since), ids[i:])
		}
		seen[text] = true
	}

	must(db.Exec("TRUNCATE event CASCADE").Error)
	var made []string
	for i := 0; i < 20; i++ {
		event := Event{}
		must(db.Create(&event).Error)
		made = append(made, event.ID)
	}
	check("ids of the server come back as made", found("true"), made)

	finish()
}

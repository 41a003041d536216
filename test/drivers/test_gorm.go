// GORM 2 over pgx 5: an id is a string, once the model names the column's type.
// needs: release
package main

import (
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
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
	// Its logger would write between the answers.
	db, err := gorm.Open(postgres.Open(""), &gorm.Config{Logger: logger.Discard})
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
	own("AutoMigrate leaves existing tables alone", tables(),
		append([]string{"CREATE INDEX legacy_by_time ON public.legacy USING btree (((id)::luuid))"}, expected[1:]...))
	must(db.Migrator().DropTable(&Payment{}, &Event{}, &Legacy{}))
	must(db.AutoMigrate(&Event{}, &Payment{}, &Legacy{}))
	own("AutoMigrate makes the columns and the index by time", tables(), expected)
	must(db.AutoMigrate(&Misled{}))
	expected[3] = "payments event_id uuid"
	own("a column that the model calls uuid becomes one, unless it is the key", tables(), expected)

	found := func(condition string, values ...interface{}) (ids []string, err error) {
		err = db.Model(&Event{}).Where(condition, values...).Order("id").Select("id").Scan(&ids).Error
		return
	}
	serve("mapper", map[string]driver{"GORM": func(command string, values ...string) ([]string, error) {
		switch command {
		case "insert":
			for _, id := range values {
				must(db.Create(&Event{ID: id}).Error)
			}
			return nil, nil
		case "generate":
			event := Event{}
			err := db.Create(&event).Error
			return []string{event.ID}, err
		case "find":
			event := Event{}
			err := db.Limit(1).Find(&event, "id = ?", values[0]).Error
			return []string{event.ID}, err
		case "refuse":
			return found("id = ?", values[0])
		case "among":
			return found("id IN ?", values)
		case "since":
			return found("id >= ?::timestamptz", timeOf(values[0]))
		}
		return found("true")
	}})
}

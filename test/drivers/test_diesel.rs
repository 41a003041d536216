// Diesel: a luuid column that the schema calls Uuid is a Uuid both ways.
// needs: release
mod luuid_diesel;
mod questions;

use chrono::{DateTime, Utc};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{self, Bool, Text, Timestamptz};
use luuid_diesel::event;
use questions::{answer, ids_of, own, questions};
use uuid::Uuid;

// Diesel tells no SQLSTATE, only the message.
fn state_of(error: diesel::result::Error) -> String {
    let message = error.to_string();
    if message.starts_with("invalid input syntax for type luuid") { "22P02".to_string() } else { message }
}

fn main() {
    // libpq reads its variables.
    let mut connection = PgConnection::establish("").unwrap();
    let all = event::table.select(event::id).order(event::id);

    let in_order =
        ids_of::<Uuid>(&["f5166777-0000-b000-0000-000000000000", "c232ab00-9414-11ec-b3c8-9f6bdeced846"].map(String::from));
    for id in in_order.iter().rev() {
        diesel::insert_into(event::table).values(event::id.eq(id)).execute(&mut connection).unwrap();
    }
    let found: Vec<Uuid> = all.filter(event::id.ge(in_order[1])).load(&mut connection).unwrap();
    own("ids compare in the order of time", found, in_order[1..].to_vec());

    for (_, command, values) in questions("mapper\tDiesel") {
        let ids = || ids_of::<Uuid>(&values);
        let found: QueryResult<Vec<Uuid>> = match command.as_str() {
            "insert" => {
                let rows: Vec<_> = ids().into_iter().map(|id| event::id.eq(id)).collect();
                diesel::insert_into(event::table).values(rows).returning(event::id).get_results(&mut connection)
            }
            "generate" => diesel::insert_into(event::table).default_values().returning(event::id).get_results(&mut connection),
            "find" => event::table.find(ids()[0]).select(event::id).load(&mut connection),
            "among" => all.filter(event::id.eq_any(ids())).load(&mut connection),
            "since" => {
                let time: DateTime<Utc> = values[0].parse().unwrap();
                all.filter(sql::<Bool>("id >= ").bind::<Timestamptz, _>(time)).load(&mut connection)
            }
            "refuse" => {
                diesel::select(sql::<sql_types::Uuid>("").bind::<Text, _>(&values[0]).sql("::luuid")).load(&mut connection)
            }
            _ => all.load(&mut connection),
        };
        answer(found.map_err(state_of));
    }
}

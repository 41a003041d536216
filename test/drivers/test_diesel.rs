// Diesel: a luuid column that the schema calls Uuid is a Uuid both ways. Prints TAP.
// needs: release
mod contract;
mod luuid_diesel;

use contract::{read, Report};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Timestamptz};
use luuid_diesel::event;
use uuid::Uuid;

fn main() {
    let (ids, times) = read();
    // libpq reads its variables.
    let mut connection = PgConnection::establish("").unwrap();
    let mut report = Report::default();
    let all = event::table.select(event::id).order(event::id);

    for id in ids.iter().rev() {
        diesel::insert_into(event::table).values(event::id.eq(id)).execute(&mut connection).unwrap();
    }
    let found: Vec<Uuid> = all.load(&mut connection).unwrap();
    report.check("ids of the client are stored and read back", found, ids.clone());
    let found: Vec<Uuid> = event::table.find(ids[2]).select(event::id).load(&mut connection).unwrap();
    report.check("an id finds its row", found, vec![ids[2]]);
    let found: Vec<Uuid> = all.filter(event::id.eq_any([ids[5], ids[0]])).load(&mut connection).unwrap();
    report.check("a list finds its rows", found, vec![ids[0], ids[5]]);
    let found: Vec<Uuid> = all.filter(event::id.ge(ids[3])).load(&mut connection).unwrap();
    report.check("ids compare in the order of time", found, ids[3..].to_vec());
    for (i, time) in times.iter().enumerate() {
        if let (Some(since), false) = (time, times[..i].contains(time)) {
            let condition = sql::<Bool>("id >= ").bind::<Timestamptz, _>(since);
            let found: Vec<Uuid> = all.filter(condition).load(&mut connection).unwrap();
            report.check("a time finds the rows since", found, ids[i..].to_vec());
        }
    }

    diesel::delete(event::table).execute(&mut connection).unwrap();
    let generate = || diesel::insert_into(event::table).default_values().returning(event::id);
    let made: Vec<Uuid> = (0..20).map(|_| generate().get_result(&mut connection).unwrap()).collect();
    let found: Vec<Uuid> = all.load(&mut connection).unwrap();
    report.check("ids of the server come back as made", found, made);
    report.close();
}

// sqlx: a Uuid is a parameter as it is, and a result if the query casts; a type of its own goes both ways. Prints TAP.
// needs: release
mod contract;
mod luuid_sqlx;

use contract::{read, Report};
use luuid_sqlx::Luuid;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::ConnectOptions;
use std::fmt::Debug;
use uuid::Uuid;

// All rows of a query, which sqlx wants to be no text of the program's making, with its parameters.
macro_rules! rows {
    ($connection:expr, [$($query:expr),*] $(, $value:expr)*) => {
        sqlx::query_scalar(concat!($($query),*))$(.bind($value))*.fetch_all(&mut *$connection).await.unwrap()
    };
}

// What a driver must do, by ids of this type; the queries put the cast behind each result.
macro_rules! contract {
    ($report:expr, $connection:expr, $name:literal, $type:ty, $cast:literal) => {
        let (uuids, times) = read();
        let ids: Vec<$type> = uuids.into_iter().map(<$type>::from).collect();
        let _: Vec<()> = rows!($connection, ["TRUNCATE event"]);
        for id in ids.iter().rev() {
            let _: Vec<()> = rows!($connection, ["INSERT INTO event (id) VALUES ($1)"], *id);
        }
        let found: Vec<$type> = rows!($connection, ["SELECT id", $cast, " FROM event ORDER BY event.id"]);
        $report.check(concat!($name, ": ids of the client are stored and read back"), found, ids.clone());
        let found: Vec<$type> = rows!($connection, ["SELECT id", $cast, " FROM event WHERE id = $1"], ids[2]);
        $report.check(concat!($name, ": an id finds its row"), found, vec![ids[2]]);
        let some = vec![ids[5], ids[0]];
        let found: Vec<$type> =
            rows!($connection, ["SELECT id", $cast, " FROM event WHERE id = ANY ($1) ORDER BY event.id"], some);
        $report.check(concat!($name, ": an array finds its rows"), found, vec![ids[0], ids[5]]);
        for (i, time) in times.iter().enumerate() {
            if time.is_some() && !times[..i].contains(time) {
                let found: Vec<$type> =
                    rows!($connection, ["SELECT id", $cast, " FROM event WHERE id >= $1 ORDER BY event.id"], *time);
                $report.check(concat!($name, ": a time finds the rows since"), found, ids[i..].to_vec());
            }
        }
        let _: Vec<()> = rows!($connection, ["TRUNCATE event"]);
        let mut made: Vec<$type> = Vec::new();
        for _ in 0..20 {
            made.extend::<Vec<$type>>(rows!($connection, ["INSERT INTO event DEFAULT VALUES RETURNING id", $cast]));
        }
        let found: Vec<$type> = rows!($connection, ["SELECT id", $cast, " FROM event ORDER BY event.id"]);
        $report.check(concat!($name, ": ids of the server come back as made"), found, made);
    };
}

impl From<Uuid> for Luuid {
    fn from(id: Uuid) -> Luuid {
        Luuid(id)
    }
}

fn refusal<T: Debug>(result: Result<T, sqlx::Error>) -> String {
    result.unwrap_err().to_string()
}

async fn run() -> Report {
    // It reads libpq's variables.
    let mut connection: PgConnection = PgConnectOptions::new().connect().await.unwrap();
    let mut report = Report::default();
    contract!(report, &mut connection, "Luuid", Luuid, "");
    contract!(report, &mut connection, "Uuid", Uuid, "::uuid");

    let refused = refusal(sqlx::query_scalar::<_, Uuid>("SELECT luuid_generate()").fetch_one(&mut connection).await);
    report.check("a Uuid does not take a luuid", refused.contains("is not compatible with SQL type `luuid`"), true);
    report
}

fn main() {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run()).close();
}

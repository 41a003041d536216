// sqlx: a Uuid is a parameter as it is, and a result if the query casts; a type of its own goes both ways.
// needs: release
mod luuid_sqlx;
mod questions;

use chrono::{DateTime, Utc};
use luuid_sqlx::Luuid;
use questions::{answer, ids_of, own, questions};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::ConnectOptions;
use uuid::Uuid;

// All rows of a query, which sqlx wants to be no text of the program's making, with its parameters.
macro_rules! rows {
    ($connection:expr, [$($query:expr),*] $(, $value:expr)*) => {
        sqlx::query_scalar(concat!($($query),*))$(.bind($value))*.fetch_all(&mut *$connection).await
    };
}

// What a driver does, by ids of this type; the queries put the cast behind each result.
macro_rules! drive {
    ($connection:expr, $type:ty, $cast:literal, $command:expr, $values:expr) => {{
        let ids = || ids_of::<$type>(&$values);
        let found: Result<Vec<$type>, sqlx::Error> = match $command {
            "insert" => {
                let mut stored = Ok(vec![]);
                for id in ids() {
                    stored = rows!($connection, ["INSERT INTO event (id) VALUES ($1) RETURNING id", $cast], id);
                }
                stored
            }
            "generate" => rows!($connection, ["INSERT INTO event DEFAULT VALUES RETURNING id", $cast]),
            "find" => rows!($connection, ["SELECT id", $cast, " FROM event WHERE id = $1"], ids()[0]),
            "among" => rows!($connection, ["SELECT id", $cast, " FROM event WHERE id = ANY ($1) ORDER BY event.id"], ids()),
            "since" => rows!(
                $connection,
                ["SELECT id", $cast, " FROM event WHERE id >= $1 ORDER BY event.id"],
                $values[0].parse::<DateTime<Utc>>().unwrap()
            ),
            "refuse" => rows!($connection, ["SELECT $1::text::luuid", $cast], $values[0].clone()),
            _ => rows!($connection, ["SELECT id", $cast, " FROM event ORDER BY event.id"]),
        };
        found.map(|ids| ids.into_iter().map(Uuid::from).collect())
    }};
}

impl From<Uuid> for Luuid {
    fn from(id: Uuid) -> Luuid {
        Luuid(id)
    }
}

impl From<Luuid> for Uuid {
    fn from(id: Luuid) -> Uuid {
        id.0
    }
}

fn state_of(error: sqlx::Error) -> String {
    error.as_database_error().unwrap().code().unwrap().to_string()
}

async fn run() {
    // It reads libpq's variables.
    let mut connection: PgConnection = PgConnectOptions::new().connect().await.unwrap();
    let refused = sqlx::query_scalar::<_, Uuid>("SELECT luuid_generate()").fetch_one(&mut connection).await.unwrap_err();
    let refusal = "is not compatible with SQL type `luuid`";
    own("a Uuid does not take a luuid", refused.to_string().contains(refusal), true);
    for (driver, command, values) in questions("mapper\tLuuid\nmapper\tUuid") {
        let ids: Result<Vec<Uuid>, sqlx::Error> = if driver == "Luuid" {
            drive!(&mut connection, Luuid, "", command.as_str(), values)
        } else {
            drive!(&mut connection, Uuid, "::uuid", command.as_str(), values)
        };
        answer(ids.map_err(state_of));
    }
}

fn main() {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run());
}

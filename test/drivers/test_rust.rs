// tokio-postgres: a Uuid is refused beside a luuid unless the query casts; a type of its own goes both ways.
mod luuid_rust;
mod questions;

use chrono::{DateTime, Utc};
use luuid_rust::Luuid;
use questions::{answer, ids_of, own, questions};
use std::error::Error;
use tokio_postgres::types::{FromSqlOwned, ToSql, Type};
use tokio_postgres::{Client, NoTls, Row};
use uuid::Uuid;

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

// With ids of this type.
async fn rows<T>(client: &Client, kind: &str, values: &[String]) -> Result<Vec<String>, tokio_postgres::Error>
where
    T: From<Uuid> + Into<Uuid> + FromSqlOwned + ToSql + Sync + 'static,
{
    let (statement, values) = values.split_first().unwrap();
    let mut parameter: Vec<Box<dyn ToSql + Sync>> = vec![];
    match kind {
        "each" => {
            for id in ids_of::<T>(values) {
                client.execute(statement.as_str(), &[&id]).await?;
            }
            return Ok(vec![]);
        }
        "id" => parameter.push(Box::new(ids_of::<T>(values).remove(0))),
        "ids" => parameter.push(Box::new(ids_of::<T>(values))),
        "time" => parameter.push(Box::new(values[0].parse::<DateTime<Utc>>().unwrap())),
        "text" => parameter.push(Box::new(values[0].clone())),
        _ => (),
    }
    let parameters: Vec<&(dyn ToSql + Sync)> = parameter.iter().map(|value| value.as_ref()).collect();
    let text_of = |row: &Row| match *row.columns()[0].type_() {
        Type::TEXT => row.get(0),
        _ => row.get::<_, T>(0).into().to_string(),
    };
    Ok(client.query(statement.as_str(), &parameters).await?.iter().map(text_of).collect())
}

fn is_wrong_type(error: Option<tokio_postgres::Error>) -> bool {
    let cause = error.and_then(|error| error.source().map(|source| source.to_string()));
    cause.map_or(false, |cause| cause.contains("type `uuid::Uuid` and the Postgres type `luuid`"))
}

async fn run() {
    let of_environment = |name: &str| std::env::var(name).unwrap();
    let (client, connection) = tokio_postgres::Config::new()
        .host(&of_environment("PGHOST"))
        .port(of_environment("PGPORT").parse().unwrap())
        .user(&of_environment("PGUSER"))
        .dbname(&of_environment("PGDATABASE"))
        .connect(NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);

    let refused = client.query("SELECT $1::luuid", &[&Uuid::nil()]).await.err();
    own("a Uuid is refused for a luuid", is_wrong_type(refused), true);
    let row = client.query_one("SELECT luuid_generate()", &[]).await.unwrap();
    own("and from one", is_wrong_type(row.try_get::<_, Uuid>(0).err()), true);

    let cast = "sql\tUuid, cast\tmark=$1::uuid\tlist_mark=$1::uuid[]\tchosen=id::uuid\torder=event.id";
    for (driver, kind, values) in questions(&format!("sql\tLuuid\n{}", cast)) {
        let found = match driver.as_str() {
            "Luuid" => rows::<Luuid>(&client, &kind, &values).await,
            _ => rows::<Uuid>(&client, &kind, &values).await,
        };
        answer(found.map_err(|error| error.code().unwrap().code().to_string()));
    }
}

fn main() {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run());
}

// tokio-postgres: a Uuid is refused beside a luuid unless the query casts; a type of its own goes both ways. Prints TAP.
mod contract;
mod luuid_rust;

use contract::{read, Report};
use luuid_rust::Luuid;
use std::error::Error;
use std::fmt::Debug;
use tokio_postgres::types::{FromSqlOwned, ToSql};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

async fn found<T: FromSqlOwned>(client: &Client, query: &str, values: &[&(dyn ToSql + Sync)]) -> Vec<T> {
    client.query(query, values).await.unwrap().iter().map(|row| row.get(0)).collect()
}

// What a driver must do, by ids of this type; `cast` is what the queries put behind each.
async fn contract<T>(report: &mut Report, name: &str, client: &Client, cast: &str, of: fn(Uuid) -> T)
where
    T: FromSqlOwned + ToSql + Sync + Copy + PartialEq + Debug,
{
    let (uuids, times) = read();
    let ids: Vec<T> = uuids.into_iter().map(of).collect();
    let select = format!("SELECT event.id{} FROM event", cast);
    let array = if cast.is_empty() { String::new() } else { format!("{}[]", cast) };

    client.batch_execute("TRUNCATE event").await.unwrap();
    for id in ids.iter().rev() {
        client.execute(&format!("INSERT INTO event (id) VALUES ($1{})", cast), &[id]).await.unwrap();
    }
    let all = format!("{} ORDER BY event.id", select);
    report.check(
        &format!("{}: ids of the client are stored and read back", name),
        found(client, &all, &[]).await,
        ids.clone(),
    );
    let one = format!("{} WHERE id = $1{}", select, cast);
    report.check(&format!("{}: an id finds its row", name), found(client, &one, &[&ids[2]]).await, vec![ids[2]]);
    let among = format!("{} WHERE id = ANY ($1{}) ORDER BY event.id", select, array);
    report.check(
        &format!("{}: an array finds its rows", name),
        found(client, &among, &[&vec![ids[5], ids[0]]]).await,
        vec![ids[0], ids[5]],
    );
    let since = format!("{} WHERE id >= $1::timestamptz ORDER BY event.id", select);
    for (i, time) in times.iter().enumerate() {
        if time.is_some() && !times[..i].contains(time) {
            report.check(
                &format!("{}: a time finds the rows since", name),
                found(client, &since, &[time]).await,
                ids[i..].to_vec(),
            );
        }
    }

    client.batch_execute("TRUNCATE event").await.unwrap();
    let mut made = Vec::new();
    for _ in 0..20 {
        let insert = format!("INSERT INTO event DEFAULT VALUES RETURNING id{}", cast);
        made.extend(found::<T>(client, &insert, &[]).await);
    }
    report.check(&format!("{}: ids of the server come back as made", name), found(client, &all, &[]).await, made);
}

fn is_wrong_type(error: Option<tokio_postgres::Error>) -> bool {
    let cause = error.and_then(|error| error.source().map(|source| source.to_string()));
    cause.map_or(false, |cause| cause.contains("type `uuid::Uuid` and the Postgres type `luuid`"))
}

async fn run() -> Report {
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

    let mut report = Report::default();
    contract(&mut report, "Luuid", &client, "", Luuid).await;
    contract(&mut report, "Uuid, cast", &client, "::uuid", |id| id).await;

    let refused = client.query("SELECT $1::luuid", &[&Uuid::nil()]).await.err();
    report.check("a Uuid is refused for a luuid", is_wrong_type(refused), true);
    let row = client.query_one("SELECT luuid_generate()", &[]).await.unwrap();
    report.check("and from one", is_wrong_type(row.try_get::<_, Uuid>(0).err()), true);
    report
}

fn main() {
    let report = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run());
    report.close();
}

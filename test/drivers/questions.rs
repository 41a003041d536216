// What the programs in Rust share: they write what they checked themselves, and then answer programs.py.
use std::fmt::Debug;
use std::io::BufRead;
use uuid::Uuid;

pub fn own<T: PartialEq + Debug>(name: &str, got: T, expected: T) {
    println!("own\t{}\t{:?}\t{:?}", name, got, expected);
}

// The driver, command and values of each line.
pub fn questions(drivers: &str) -> impl Iterator<Item = (String, String, Vec<String>)> {
    println!("{}\nready", drivers);
    std::io::stdin().lock().lines().map(|line| {
        let line = line.unwrap();
        let mut words = line.split('\t').map(String::from);
        (words.next().unwrap(), words.next().unwrap(), words.collect())
    })
}

pub fn ids_of<T: From<Uuid>>(values: &[String]) -> Vec<T> {
    values.iter().map(|value| value.parse::<Uuid>().unwrap().into()).collect()
}

// Texts, or the SQLSTATE of an error.
pub fn answer<T: ToString>(result: Result<Vec<T>, String>) {
    match result {
        Ok(found) => println!("{}", found.iter().map(T::to_string).collect::<Vec<_>>().join("\t")),
        Err(state) => println!("error\t{}", state),
    }
}

// What the suites in Rust share: the ids to store, and a check that prints TAP.
use chrono::{DateTime, Utc};
use std::fmt::Debug;
use uuid::Uuid;

#[derive(Default)]
pub struct Report {
    tests: u32,
    failed: u32,
}

impl Report {
    pub fn check<T: PartialEq + Debug>(&mut self, name: &str, got: T, expected: T) {
        self.tests += 1;
        if got == expected {
            println!("ok {} - {}", self.tests, name);
        } else {
            self.failed += 1;
            println!("not ok {} - {}\n# got {:?}\n# not {:?}", self.tests, name, got, expected);
        }
    }

    pub fn close(self) -> ! {
        println!("1..{}", self.tests);
        std::process::exit((self.failed > 0).into());
    }
}

// The ids in chronological order, and the time of each that has one.
pub fn read() -> (Vec<Uuid>, Vec<Option<DateTime<Utc>>>) {
    let text = std::fs::read_to_string(std::env::var("LUUID_IDS").unwrap()).unwrap();
    let line = |line: &str| {
        let (id, time) = line.split_once('\t').unwrap();
        (id.parse::<Uuid>().unwrap(), time.parse().ok())
    };
    text.lines().map(line).unzip()
}

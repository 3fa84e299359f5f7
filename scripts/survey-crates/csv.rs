//@ std
//@ csv = "=1.4.0"
//@ serde = { version = "1", features = ["derive"] }
//@ input: city,people,share\nBerlin,3700000,0.5\n"Köln, am Rhein",1080000,1.25e-1\n"a ""b""",1,2\n
//@ input: city,people,share\r\nX,12,\r\n,,\r\nY,-1,7.5\r\n
//! Reads CSV records as structs and as bytes, and writes the records again.
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug)]
struct City {
    city: String,
    people: u64,
    share: Option<f64>,
}

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text = String::new();
    for city in csv::Reader::from_reader(input).deserialize::<City>() {
        match city {
            Ok(city) => text += &format!("{city:?}\n"),
            Err(error) => text += &format!("{error}\n"),
        }
    }
    let mut writer = csv::WriterBuilder::new().delimiter(b';').flexible(input.len() % 2 == 0).from_writer(vec![]);
    for record in csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input).byte_records() {
        if let Err(error) = record.and_then(|record| writer.write_byte_record(&record)) {
            text += &format!("{error}\n");
        }
    }
    let mut written = writer.into_inner().unwrap();
    written.extend_from_slice(text.as_bytes());
    put(out, &written)
}

//@ std
//@ chrono = "=0.4.45"
//@ input: 2024-02-29T23:59:60.123456789+05:30
//@ input: 1999-12-31 12:00:00
//@ input: Tue, 1 Jul 2003 10:52:37 +0200
//! Parses dates and times, computes with them, and formats them.
use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, NaiveDateTime, TimeZone, Utc};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = String::from_utf8_lossy(input);
    let mut said = match DateTime::parse_from_rfc3339(&text) {
        Ok(time) => format!("{time} {} {:?}", time.with_timezone(&Utc), time.checked_add_months(Months::new(13))),
        Err(error) => format!("{error} {error:?}"),
    };
    said += &format!("{:?}", DateTime::parse_from_rfc2822(&text));
    said += &format!("{:?}", NaiveDateTime::parse_from_str(&text, "%Y-%m-%d %H:%M:%S%.f"));
    let seconds = input.iter().fold(0i64, |n, &b| n.wrapping_mul(31).wrapping_add(b.into())) % 200_000_000_000;
    let time = Utc.timestamp_opt(seconds, 5_000_000).unwrap();
    said += &time.format("%A, %e %B %Y %H:%M:%S%.3f %j %U %G-W%V %p %s").to_string();
    said += &format!("{} {:?}", time.to_rfc2822(), time.iso_week());
    let date = NaiveDate::from_ymd_opt(2000 + input.len() as i32, 1 + input.len() as u32 % 12, 30);
    said += &format!("{date:?} {:?}", date.map(|d| d.signed_duration_since(time.date_naive()) + Duration::minutes(90)));
    put(out, said.as_bytes())
}

//@ std
//@ humantime = "=2.3.0"
//@ input: 2h 37min 5s 12ms
//@ input: 1year 2months 3days 7ns
//@ input: 2018-02-14T00:28:07.133Z
//! Parses and formats durations and times.
use std::time::{Duration, SystemTime};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = match humantime::parse_duration(&input) {
        Ok(duration) => format!("{duration:?} {}", humantime::format_duration(duration)),
        Err(error) => format!("{error} {error:?}"),
    };
    text += &match humantime::parse_rfc3339_weak(&input) {
        Ok(time) => format!("{:?}", time.duration_since(SystemTime::UNIX_EPOCH)),
        Err(error) => error.to_string(),
    };
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(input.len() as u64 * 86_399_977);
    text += &format!(
        "{} {}",
        humantime::format_rfc3339_millis(time),
        humantime::format_duration(Duration::from_nanos(input.len() as u64 * 1_234_567_891))
    );
    put(out, text.as_bytes())
}

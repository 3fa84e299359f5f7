//@ time = { version = "=0.3.55", default-features = false }
//! Computes the calendar date of a moment.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let Ok(moment) = time::OffsetDateTime::from_unix_timestamp(1_700_000_000 + input.len() as i64 * 86_399) else { return 0 };
    let (year, week, day) = moment.to_iso_week_date();
    out[..4].copy_from_slice(&year.to_le_bytes());
    out[4..8].copy_from_slice(&[week, day.number_from_monday(), moment.day(), moment.second()]);
    8
}

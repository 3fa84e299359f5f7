//! C's calendar: `gmtime_r`, `localtime_r`, `timegm`, `mktime`. The local time zone is UTC, which glibc also uses if the environment is empty and no
//! file can be read.

#[cfg(rustgo)]
use super::error;
use core::ffi::{CStr, c_char, c_int, c_long};
use core::ptr::null_mut;

/// C's `struct tm`, with glibc's two additional fields.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Calendar {
    pub second: c_int,
    pub minute: c_int,
    pub hour: c_int,
    /// The day of the month, from 1.
    pub day: c_int,
    /// The month, from 0 for January.
    pub month: c_int,
    /// The years since 1900.
    pub year: c_int,
    /// The day of the week, from 0 for Sunday.
    pub week_day: c_int,
    /// The days since January 1st.
    pub year_day: c_int,
    pub daylight_saving: c_int,
    /// The seconds east of UTC.
    pub offset: c_long,
    pub zone: *const c_char,
}

const DAY: i64 = 24 * 60 * 60;

/// Converts seconds since 1970 to a date in UTC. Returns null and sets errno to EOVERFLOW if the year does not fit into an `int`.
///
/// # Safety
/// `seconds` must be readable and `to` writable.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn gmtime_r(seconds: *const i64, to: *mut Calendar) -> *mut Calendar {
    // SAFETY: as promised by the caller.
    unsafe { store(*seconds, c"GMT", to) }
}

/// Does the same as [`gmtime_r`], but names the zone "UTC" instead of "GMT".
///
/// # Safety
/// The caller must meet the requirements of [`gmtime_r`].
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn localtime_r(seconds: *const i64, to: *mut Calendar) -> *mut Calendar {
    // SAFETY: as promised by the caller.
    unsafe { store(*seconds, c"UTC", to) }
}

/// # Safety
/// `to` must be writable.
unsafe fn store(seconds: i64, zone: &'static CStr, to: *mut Calendar) -> *mut Calendar {
    let Some(date) = date(seconds, zone) else {
        overflow();
        return null_mut();
    };
    // SAFETY: as promised by the caller.
    unsafe { to.write(date) };
    to
}

/// Converts a date in UTC to seconds since 1970, and stores the date with every field in its usual range: October 40 becomes November 9. Returns -1
/// and sets errno to EOVERFLOW if the year does not fit into an `int`.
///
/// # Safety
/// `from` must be readable and writable.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn timegm(from: *mut Calendar) -> i64 {
    // SAFETY: as promised by the caller.
    unsafe { normalize(from, c"GMT") }
}

/// Does the same as [`timegm`], but names the zone "UTC" instead of "GMT".
///
/// # Safety
/// The caller must meet the requirements of [`timegm`].
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn mktime(from: *mut Calendar) -> i64 {
    // SAFETY: as promised by the caller.
    unsafe { normalize(from, c"UTC") }
}

/// # Safety
/// The caller must meet the requirements of [`timegm`].
unsafe fn normalize(from: *mut Calendar, zone: &'static CStr) -> i64 {
    // SAFETY: as promised by the caller.
    let seconds = unsafe { seconds(&*from) };
    let Some(date) = date(seconds, zone) else {
        overflow();
        return -1;
    };
    // SAFETY: as promised by the caller.
    unsafe { from.write(date) };
    seconds
}

/// Does nothing: the zone is always UTC.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
extern "C" fn tzset() {}

fn overflow() {
    #[cfg(rustgo)]
    error::set(error::EOVERFLOW);
}

/// Converts seconds since 1970 to a date. Returns `None` if the year does not fit into an `int`. The calendar repeats every 400 years. The
/// calculation counts days from March 1st of the year 0, so that each leap day is the last day of its year.
/// Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn date(seconds: i64, zone: &'static CStr) -> Option<Calendar> {
    const FOUR_CENTURIES: i64 = 146_097;
    let (day, time) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let from_march = day + 719_468;
    let (era, day_of_era) = (from_march.div_euclid(FOUR_CENTURIES), from_march.rem_euclid(FOUR_CENTURIES));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12;
    let year = era * 400 + year_of_era + i64::from(month < 2);
    let int = |number: i64| number as c_int;
    Some(Calendar {
        second: int(time % 60),
        minute: int(time / 60 % 60),
        hour: int(time / 3600),
        day: int(day_of_month),
        month: int(month),
        year: c_int::try_from(year - 1900).ok()?,
        week_day: int((day + 4).rem_euclid(7)),
        year_day: int(day - days_before_year(year)),
        daylight_saving: 0,
        offset: 0,
        zone: zone.as_ptr(),
    })
}

/// The days from January 1st, 1970 to January 1st of a year.
fn days_before_year(year: i64) -> i64 {
    let before = year - 1;
    365 * (year - 1970) + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 477
}

/// The seconds from 1970 to a date, whose fields may exceed their usual ranges.
fn seconds(from: &Calendar) -> i64 {
    const BEFORE_MONTH: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let (month, year) = (i64::from(from.month), i64::from(from.year) + 1900);
    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    let day = days_before_year(year) + BEFORE_MONTH[month as usize] + i64::from(leap && month > 1) + i64::from(from.day) - 1;
    day * DAY + i64::from(from.hour) * 3600 + i64::from(from.minute) * 60 + i64::from(from.second)
}

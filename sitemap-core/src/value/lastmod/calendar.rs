//! The proleptic Gregorian calendar, in days.

use super::LastModErrorKind;

/// Checks that a date exists and its year is from 1 to 9999.
pub(super) const fn check_date(year: i32, month: u8, day: u8) -> Result<(), LastModErrorKind> {
    if year < 1 || year > 9_999 {
        return Err(LastModErrorKind::Year);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // just checked
    match days_of(year as u16, month) {
        0 => Err(LastModErrorKind::Month),
        days if day < 1 || day > days => Err(LastModErrorKind::Day),
        _ => Ok(()),
    }
}

/// Returns the number of days in a month, or 0 if there is no such month.
pub(super) const fn days_of(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

/// Returns the number of days from 1970-01-01 to a date.
///
/// Years start in March here, so that a leap day is the last day of its year.
pub(super) const fn days_from_civil(year: u16, month: u8, day: u8) -> i64 {
    let (is_early, month) = (month <= 2, month as u32);
    // This cannot underflow, because the year is at least 1.
    let march_year = year as u32 - is_early as u32;
    let month_from_march = if is_early { month + 9 } else { month - 3 };
    let day_of_year = (153 * month_from_march + 2) / 5 + day as u32 - 1;
    let leap_days = march_year / 4 - march_year / 100 + march_year / 400;
    (march_year * 365 + leap_days + day_of_year) as i64 - DAYS_TO_EPOCH
}

/// The number of days from 0000-03-01 to 1970-01-01.
const DAYS_TO_EPOCH: i64 = 719_468;

/// Returns the date that is `days` days after 1970-01-01.
///
/// This is the reverse of [`days_from_civil`].
pub(super) const fn civil_from_days(days: i64) -> (i64, u8, u8) {
    const DAYS_IN_400_YEARS: i64 = 146_097;
    let days = days + DAYS_TO_EPOCH;
    let era = days.div_euclid(DAYS_IN_400_YEARS);
    let day_of_era = days.rem_euclid(DAYS_IN_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to 12, 1 to 31
    (year, month as u8, day as u8)
}

//! Days of the proleptic Gregorian calendar.

use super::LastModErrorKind;

/// Whether the day exists.
pub(super) const fn check_date(year: i32, month: u8, day: u8) -> Result<(), LastModErrorKind> {
    if year < 1 || year > 9_999 {
        return Err(LastModErrorKind::Year);
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return Err(LastModErrorKind::Month),
    };
    if day < 1 || day > days {
        return Err(LastModErrorKind::Day);
    }
    Ok(())
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
///
/// Counts in years that begin in March, so that the leap day is a year's last.
pub(super) const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let march_year = if month <= 2 { year - 1 } else { year };
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let leap_days = march_year.div_euclid(4) - march_year.div_euclid(100) + march_year.div_euclid(400);
    march_year * 365 + leap_days + day_of_year - DAYS_TO_EPOCH
}

/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_EPOCH: i64 = 719_468;

/// The reverse of [`days_from_civil`].
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

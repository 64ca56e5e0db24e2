// The proleptic Gregorian calendar of years 1 to 9999, without a clock or a time zone.
const MONTH_LENGTHS: readonly number[] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
// Days from 0000-03-01 to 1970-01-01.
const EPOCH_OFFSET = 719_468;

export const SECONDS_A_DAY = 86_400;
export const FIRST_YEAR = 1;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds from 1970-01-01. */
export const FIRST_SECOND = -62_135_596_800;
export const LAST_SECOND = 253_402_300_799;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Is this a day of the calendar, of whatever year? */
export function isDay(year: number, month: number, day: number): boolean {
  const length = month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month] ?? 0);
  return day >= 1 && day <= length;
}

/** Days from 1970-01-01. */
export function daysFromEpoch(year: number, month: number, day: number): number {
  const yearFromMarch = month > 2 ? year : year - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400);
  // 153 days in every five months from March on.
  const daysOfMonths = Math.floor((153 * monthFromMarch + 2) / 5);
  return 365 * yearFromMarch + leapDays + daysOfMonths + day - 1 - EPOCH_OFFSET;
}

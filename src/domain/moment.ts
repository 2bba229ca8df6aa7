/** Moments as people say them. The date is the caller's: its hours are those of the machine that shows it. */

/** `2026-11-15 08:00:00`. */
export function moment(date: Date): string {
  if (Number.isNaN(date.getTime())) return '–';
  const day = [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(two)].join('-');
  return `${day} ${timeOfDay(date)}`;
}

/** `08:00:00`. */
export function timeOfDay(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

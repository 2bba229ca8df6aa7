/** Moments as people say them, in the time of their machine. Pure. */

/** `2026-11-15 08:00:00`, in the time of this machine. */
export function moment(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return `${[date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')} ${time(at)}`;
}

export function time(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

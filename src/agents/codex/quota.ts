/** Whether Codex says that there is no quota, and when there is some again. */

/** A subscription's limit, an account without money, too many requests, a model everybody wants. */
const REFUSALS = /usage limit|quota exceeded|rate limit|429 too many requests|is at capacity/i;

/** `now` in ms since 1970. Undefined where the words are about something else. */
export function quotaRefusal(words: string, now: number): { readonly resetAt?: number } | undefined {
  if (!REFUSALS.test(words)) return undefined;
  const resetAt = atTime(words, now) ?? afterTime(words, now);
  return resetAt === undefined ? {} : { resetAt };
}

const MINUTE_MS = 60_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `try again at 8:03 AM`, or with the day where it is another one: `Nov 19th, 2026 8:03 AM`. */
const AT =
  /try again at (?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([ap])\.?m/i;

/** In the time zone of this process, which is the agent's, because it has the same environment. */
function atTime(words: string, now: number): number | undefined {
  const found = AT.exec(words);
  if (found === null) return undefined;
  const [, month, day, year, hourOfTwelve, minute, half] = found;
  const hour = (Number(hourOfTwelve) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  if (Number(hourOfTwelve) > 12 || Number(minute) > 59) return undefined;
  // Seconds are not said, so it may be any moment of that minute: not too early is its end.
  if (month !== undefined) {
    const index = MONTHS.indexOf(month.toLowerCase());
    if (index < 0) return undefined;
    return new Date(Number(year), index, Number(day), hour, Number(minute) + 1).getTime();
  }
  const today = new Date(now);
  const at = (days: number) =>
    new Date(
      today.getFullYear(),
      today.getMonth(),
      today.getDate() + days,
      hour,
      Number(minute) + 1,
    ).getTime();
  return at(0) > now ? at(0) : at(1);
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

/** `try again in 1.2s`, `6m0s`, `2 days 3 hours 5 minutes`. */
const AFTER =
  /try again in ((?:\d+(?:\.\d+)? ?(?:ms|days?|d|hours?|h|minutes?|min|m|seconds?|secs?|s)\b,? ?|\d+(?:\.\d+)?[dhm](?=\d))+)/i;
const PART = /(\d+(?:\.\d+)?) ?(ms|[dhms])/gi;

function afterTime(words: string, now: number): number | undefined {
  const said = AFTER.exec(words)?.[1];
  if (said === undefined) return undefined;
  const parts = [...said.matchAll(PART)].map(
    ([, amount, unit = '']) => Number(amount) * (UNITS_MS[unit.toLowerCase()] ?? 0),
  );
  return now + Math.ceil(parts.reduce((sum, part) => sum + part, 0));
}

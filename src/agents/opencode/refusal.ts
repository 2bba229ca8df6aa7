/** What it means that the provider refused: OpenCode tries again without end, and a worker must not wait in its place for hours. */
import { LegionError } from '../../core/model/fault.ts';
import type { TurnEnd } from '../../driving/dialect.ts';
import type { SessionError, SessionStatus } from './events.ts';

/** Ms. Who waits longer than this holds a place that another worker could use, and the daemon can wait for less. */
const WAIT_MOST_MS = 60_000;
/** In a row. The waits between them are 2, 4, 8 s where the provider names none. */
const LIMITED_MOST = 4;
/** In a row, of any other failure: 2, 4, 8, 16, 30, 30, 30 s make two minutes, longer than a provider takes to restart. */
const FAILED_MOST = 8;

const SPEAKS_OF_LIMITS =
  /\b429\b|rate.?limit|too many requests|(?:usage|quota|request|token)s?.{0,20}(?:limit|exceeded|exhausted)|slow down/i;

/** Undefined while it may try again by itself. Throws `agent.failed` with the provider's words where it has tried often enough. */
export function judgeRetry(
  { attempt, message, next }: Extract<SessionStatus, { type: 'retry' }>,
  now: number,
): TurnEnd | undefined {
  const isLimited = SPEAKS_OF_LIMITS.test(message) && attempt >= LIMITED_MOST;
  if (isLimited || next - now > WAIT_MOST_MS)
    return { how: 'rate limited', ...(next > now ? { resetAt: next } : {}) };
  if (attempt >= FAILED_MOST)
    throw new LegionError('agent.failed', `the provider refused ${attempt} times: ${message}`);
  return undefined;
}

/** Told where the provider has no login at all. */
const NO_LOGIN = 'ProviderAuthError';
const LOGIN_STATUSES: readonly (number | undefined)[] = [401, 403];
/** The preflight has seen the model: without a login OpenCode does not offer it any more. */
const NO_MODEL = /^Model not found\b/;

/** Throws `agent.failed` with the agent's words for everything but a lack of quota or of a login. */
export function judgeError({ name, data = {} }: SessionError, now: number): TurnEnd {
  if (name === NO_LOGIN || LOGIN_STATUSES.includes(data.statusCode) || NO_MODEL.test(data.message ?? ''))
    return { how: 'login refused', message: wordsOf({ name, data }) };
  if (data.statusCode !== 429) throw new LegionError('agent.failed', wordsOf({ name, data }));
  const seconds = Number(data.responseHeaders?.['retry-after']);
  return {
    how: 'rate limited',
    ...(Number.isFinite(seconds) && seconds > 0 ? { resetAt: now + seconds * 1_000 } : {}),
  };
}

/** The first line: OpenCode appends its own stack. */
export function wordsOf({ name, data = {} }: SessionError): string {
  const { message = '', statusCode } = data;
  const [words = ''] = message.split('\n    at ');
  return [name, ...(statusCode === undefined ? [] : [statusCode]), words].join(' ').trim();
}

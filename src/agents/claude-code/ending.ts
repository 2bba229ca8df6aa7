/** How a turn ended, from the agent's last words and its exit. */
import { LegionError } from '../../core/model/fault.ts';
import type { TurnEnd } from '../../driving/dialect.ts';
import type { TurnExit } from '../../driving/turn-process.ts';
import type { StreamLineOf } from './stream-line.ts';

export interface LastWords {
  /** The last of them: with work in the background there may be several. */
  readonly result: StreamLineOf<'result'> | undefined;
  /** The last that was said about its quota. */
  readonly limit: StreamLineOf<'rate_limit_event'>['rate_limit_info'] | undefined;
  /** It said that its last request failed for its login. */
  readonly isAuthenticationError?: boolean;
}

/** Of the API; 403 is an account that may not use it. */
export const LOGIN_STATUSES: readonly (number | null | undefined)[] = [401, 403];
/** As it says it where it has no login to try: then the API was never asked. */
const NO_LOGIN = /^(?:Not logged in|Invalid API key|OAuth token (?:has expired|revoked))/m;
const UNKNOWN_SESSION = /No conversation found with session ID/;
/** On standard error, with nothing on standard output. */
const TAKEN_SESSION = /Session ID \S+ is already in use/;

/** Throws an `agent.…` fault. An exit code proves nothing here: an interrupted turn ends with 0, one that was refused may, too. */
export function endingOf(
  { result, limit, isAuthenticationError = false }: LastWords,
  exit: TurnExit,
  isInterrupted: boolean,
): TurnEnd {
  if (result !== undefined && !result.is_error && !isAborted(result)) return { how: 'ended' };
  if (isInterrupted) return { how: 'interrupted' };
  if (result === undefined) throw withoutResult(exit);
  const words = [result.result, ...result.errors].filter((text) => text !== undefined && text !== '');
  const message = words.join('\n') || `it gave up: ${result.terminal_reason ?? 'it did not say why'}`;
  if (UNKNOWN_SESSION.test(message)) throw new LegionError('agent.session_unknown', message);
  if (limit?.status === 'rejected') return { how: 'rate limited', ...resetOf(limit) };
  if (result.api_error_status === 429) return { how: 'rate limited' };
  if (isAuthenticationError || LOGIN_STATUSES.includes(result.api_error_status) || NO_LOGIN.test(message))
    return { how: 'login refused', message };
  throw new LegionError('agent.failed', message);
}

/** An interrupt may come out as an error or not; this tells it. */
function isAborted({ terminal_reason }: StreamLineOf<'result'>): boolean {
  return terminal_reason?.startsWith('aborted') ?? false;
}

function resetOf({ resetsAt }: { readonly resetsAt?: number | undefined }): { readonly resetAt?: number } {
  return resetsAt === undefined ? {} : { resetAt: resetsAt * 1_000 };
}

function withoutResult({ errors, code, signal }: TurnExit): LegionError {
  const words = errors.trim();
  if (TAKEN_SESSION.test(words)) return new LegionError('agent.session_taken', words);
  const how = signal === null ? `code ${code}` : signal;
  return new LegionError(
    'agent.failed',
    `it ended with ${how} and no result${words === '' ? '' : `: ${words}`}`,
  );
}

/** How far a turn is, by what the server tells of its sessions: whether it has begun, and whether and how it is over. */
import type { TurnEnd } from '../../driving/dialect.ts';
import type { ServerEvent, SessionError } from './events.ts';
import { judgeError, judgeRetry, wordsOf } from './refusal.ts';

/** Told after an interruption, by whichever turn comes next. */
const ABORTED = 'MessageAbortedError';

export interface Progress {
  readonly hasBegun: boolean;
  /** What went wrong and was not made good since. */
  readonly trouble: string | undefined;
  /** `over`, or how to cut it short. Throws `agent.failed` where the provider refused too often. */
  take(event: ServerEvent, now: number): 'over' | TurnEnd | undefined;
  /** How it ended, once it is over. Throws `agent.failed` with the agent's own words. */
  end(now: number): TurnEnd;
}

export function followTurn(session: string): Progress {
  let hasBegun = false;
  let error: SessionError | undefined;
  return {
    get hasBegun() {
      return hasBegun;
    },
    get trouble() {
      return error && wordsOf(error);
    },
    take(event, now) {
      const isOwn = 'session' in event && (event.session ?? session) === session;
      // A session that it has started for a part of the work waits for the same provider.
      if (event.kind === 'status' && event.status.type === 'retry') {
        hasBegun = true;
        return judgeRetry(event.status, now);
      }
      if (!isOwn) return undefined;
      if (event.kind === 'error' && event.error.name !== ABORTED) error ??= event.error;
      // An answer after the error: it has helped itself, as with a context that was too long.
      if (event.kind === 'answered') error = undefined;
      // Being idle counts only after having been busy: the end of the turn before is told twice.
      if (event.kind === 'status' && event.status.type === 'idle') return hasBegun ? 'over' : undefined;
      if (event.kind === 'status') hasBegun = true;
      return undefined;
    },
    end: (now) => (error === undefined ? { how: 'ended' } : judgeError(error, now)),
  };
}

/** How a turn ended, from what Codex said and how its process ended. */
import { LegionError } from '../../core/model/fault.ts';
import type { TurnEnd } from '../../driving/dialect.ts';
import type { TurnExit } from '../../driving/turn-process.ts';
import { quotaRefusal } from './quota.ts';

export interface TurnWords {
  readonly isCompleted: boolean;
  /** The last complaint on its standard output. */
  readonly complaint: string | undefined;
}

/** Throws `agent.session_unknown` and `agent.failed`. */
export function outcomeOf({ isCompleted, complaint }: TurnWords, exit: TurnExit, now: number): TurnEnd {
  if (isCompleted) return { how: 'ended' };
  if (exit.isInterrupted) return { how: 'interrupted' };
  const words = complaint ?? lastWords(exit);
  const refusal = quotaRefusal(words, now);
  if (refusal !== undefined) return { how: 'rate limited', ...refusal };
  if (LOGIN_REFUSED.test(words)) return { how: 'login refused', message: words };
  throw new LegionError(...failureIn(words));
}

/** A key or token the API does not accept, or a login that could not be renewed. */
const LOGIN_REFUSED =
  /unexpected status (?:401|403)\b|access token could not be refreshed|log ?out and sign in again|not logged in/i;
/** A thread that was killed in its first moments has never been written down. */
const NO_THREAD = /no rollout found for thread id/;
const NO_TOOLS = /required MCP servers failed to initialize: (.*)/;

function failureIn(words: string): ['agent.session_unknown' | 'agent.failed', string] {
  if (NO_THREAD.test(words)) return ['agent.session_unknown', words];
  const tools = NO_TOOLS.exec(words)?.[1];
  return ['agent.failed', tools === undefined ? words : `the tools of legion did not start: ${tools}`];
}

/** Its log is there, too; what ended it begins with `Error:`. */
function lastWords({ code, signal, errors }: TurnExit): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const said = lines.findLast((line) => line.startsWith('Error:')) ?? lines.at(-1);
  return said ?? `codex ended ${signal === null ? `with code ${code}` : `by ${signal}`} and without a word`;
}

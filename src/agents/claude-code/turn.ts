/** One turn: a process of the agent, what it says while it runs, and whether it is left to end by itself. */

import { LegionError } from '../../core/model/fault.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';
import type { Emit, TurnEnd } from '../../driving/dialect.ts';
import { ownGroup } from '../../driving/group.ts';
import { type TurnProcess, takeTurn } from '../../driving/turn-process.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';
import { endingOf, type LastWords } from './ending.ts';
import { inVain, type Verdict, withoutTools } from './give-up.ts';
import { Meter } from './meter.ts';
import { saidIn } from './said.ts';
import { readStreamLine, type StreamLine } from './stream-line.ts';

/** Milliseconds. */
interface Patience {
  /** It starts in a second, Legion's tools in another; a machine that is busy or asleep is given this, and then it hangs. */
  readonly firstLine: number;
  /** After its result it has only to leave; what holds it then, such as a server that does not end, is not work. */
  readonly leaving: number;
}

const PATIENCE: Patience = { firstLine: 120_000, leaving: 30_000 };

export interface Hearing {
  readonly emit: Emit;
  /** The agent has the session under this id. */
  begun(native: string): void;
  /** The prompt is in the session now, whatever becomes of the turn. */
  heard(): void;
}

/** Rejects with an `agent.…` fault. */
export async function takeOneTurn(
  command: TurnProcess,
  { emit, begun, heard }: Hearing,
  interrupt: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<TurnEnd> {
  const meter = new Meter();
  const ours = new AbortController();
  const words: { -readonly [K in keyof LastWords]: LastWords[K] } = {
    result: undefined,
    limit: undefined,
    isAuthenticationError: false,
  };
  let verdict: Verdict | undefined;

  const giveUp = (why: Verdict | undefined) => {
    if (why === undefined) return;
    verdict ??= why;
    ours.abort();
  };

  function take(line: StreamLine): readonly AgentLine[] {
    switch (line.type) {
      case 'system':
        if (line.subtype === 'init') begun(line.session_id);
        giveUp(line.subtype === 'init' ? withoutTools(line) : inVain(line, Date.now()));
        return [];
      case 'assistant':
        words.isAuthenticationError = line.error === 'authentication_failed';
        heard();
        return saidIn(line);
      case 'user':
        heard();
        return saidIn(line);
      case 'stream_event':
        heard();
        return meter.use(line);
      case 'rate_limit_event':
        words.limit = line.rate_limit_info;
        return [];
      case 'result':
        words.result = line;
        return meter.settle(line);
    }
  }

  const silent = new LegionError('agent.failed', `it has said nothing within ${patience.firstLine} ms`);
  let waiting = setTimeout(() => giveUp(silent), patience.firstLine);
  const hear = (text: string | undefined) => {
    clearTimeout(waiting);
    const line = text === undefined ? undefined : readStreamLine(text);
    if (line !== undefined) for (const each of take(line)) emit(each);
    if (words.result !== undefined) waiting = setTimeout(() => ours.abort(), patience.leaving);
  };
  const endLeftovers = leftoversOf(command.env);
  try {
    const exit = await takeTurn(command, hear, AbortSignal.any([interrupt, ours.signal]));
    if (words.result === undefined) await endLeftovers();
    if (verdict instanceof LegionError) throw verdict;
    const end = verdict ?? endingOf(words, exit, interrupt.aborted);
    if (words.result !== undefined) heard();
    return end;
  } finally {
    clearTimeout(waiting);
  }
}

/**
 * Its commands run in sessions of their own. It ends them before its result; without a result it was ended itself, and they work on, in
 * a workspace that is somebody else's by then. What earlier turns left on purpose, such as a server, stays.
 */
function leftoversOf(env: TurnProcess['env']): () => Promise<void> {
  // Only where a host has marked this process is its group its own.
  if (env[MARKER_VARIABLE] === undefined) return async () => undefined;
  const group = ownGroup(env);
  const before = group.members();
  return () => group.endOthers(before);
}

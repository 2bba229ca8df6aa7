/** Claude Code as a dialect: each turn is a process of `claude -p` that begins the session or goes on with it. */
import { LegionError } from '../../core/model/fault.ts';
import type { Conversation, Dialect, Emit, SessionOrder, TurnEnd } from '../../driving/dialect.ts';
import { commandLine, promptLine, type Way } from './command-line.ts';
import { environmentOf } from './environment.ts';
import { equip } from './equip.ts';
import { takeOneTurn } from './turn.ts';

export const claudeCode: Dialect = {
  reminders: 'agent',
  open: async (order, emit) => converse(order, emit),
};

function converse(order: SessionOrder, emit: Emit): Conversation {
  const { program, workspace, model, isResumed } = order;
  const files = equip(order.folder, order.equipment);
  const env = environmentOf(order, process.getuid?.() === 0);
  const session = order.native ?? order.session;
  let isBegun = isResumed;
  let isSaid = false;
  /** Prompts the session may not have: a turn that is cut short at its very beginning leaves no trace of its own. */
  let unheard: readonly string[] = [];

  const hearing = {
    emit,
    begun(native: string) {
      isBegun = true;
      if (!isSaid) emit({ type: 'started', session: native });
      isSaid = true;
    },
    heard() {
      unheard = [];
    },
  };

  function take(way: Way, interrupt: AbortSignal): Promise<TurnEnd> {
    const argv = commandLine({ program, files, workspace, model, way, session });
    const stdin = promptLine(unheard.join('\n\n'));
    return takeOneTurn({ argv, cwd: workspace, env, stdin }, hearing, interrupt);
  }

  return {
    async turn(prompt, interrupt) {
      unheard = [...unheard, prompt];
      const [way, other] = waysTo(isBegun, isResumed);
      try {
        return await take(way, interrupt);
      } catch (error) {
        if (other === undefined || !isAboutSession(error)) throw error;
        return await take(other, interrupt);
      }
    },
    close: async () => undefined,
  };
}

/**
 * A session of ours that is there already, with our record of it lost, is gone on with; one that was begun here and left no trace is
 * begun again. A session we were told to go on with is never begun: whoever told us decides about that.
 */
function waysTo(isBegun: boolean, isResumed: boolean): readonly [Way, Way?] {
  if (isResumed) return ['--resume'];
  return isBegun ? ['--resume', '--session-id'] : ['--session-id', '--resume'];
}

function isAboutSession(error: unknown): boolean {
  return (
    error instanceof LegionError &&
    (error.code === 'agent.session_taken' || error.code === 'agent.session_unknown')
  );
}

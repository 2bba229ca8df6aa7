/** Codex inside a worker's process: one process of it for each turn, all of them on one thread. */
import { LegionError, shown } from '../../core/model/fault.ts';
import type { Conversation, Dialect, Emit, SessionOrder } from '../../driving/dialect.ts';
import { commandLine, isThread } from './command-line.ts';
import { prepareHome } from './home.ts';
import { ThreadRecord } from './thread-record.ts';
import { codexTurn, PATIENCE, type Patience, type TurnEars } from './turn.ts';

export const codex: Dialect = codexDialect(PATIENCE);

export function codexDialect(patience: Patience): Dialect {
  return {
    // Its Stop hook reminds it within the turn, which costs neither a process nor a second reading of the thread.
    reminders: 'agent',
    open: async (order, emit) => converse(order, emit, patience),
  };
}

function converse(order: SessionOrder, emit: Emit, patience: Patience): Conversation {
  const { workspace, folder, program, env, equipment } = order;
  const record = new ThreadRecord(folder);
  let thread = threadOf(order);
  const rules = thread === undefined ? undefined : record.rulesOf(thread);
  const home = prepareHome(order, { hasNewRules: rules !== undefined && rules !== equipment.rules });
  /** Prompts of turns that were cut short before they were in the thread: the next turn begins with them. */
  const unheard: string[] = [];
  let said: string | undefined;
  let begun: string | undefined;

  const ears: TurnEars = {
    emit,
    began(id) {
      begun = id;
      record.began(id, equipment.rules);
      if (said !== id) emit({ type: 'started', session: id });
      said = id;
    },
    taken() {
      // Only now: a thread that ends in its first moments is never written down, and cannot be gone on with.
      thread = begun ?? thread;
      unheard.length = 0;
    },
    used: (total) => emit({ type: 'usage', ...record.since(total) }),
  };

  return {
    async turn(prompt, interrupt) {
      unheard.push(prompt);
      if (interrupt.aborted) return { how: 'interrupted' };
      const argv = commandLine(program, thread);
      const stdin = unheard.join('\n\n');
      const process = { argv, cwd: workspace, env: { ...env, CODEX_HOME: home }, stdin };
      return codexTurn(process, ears, patience, interrupt);
    },
    // Its process ends with the turn.
    close: async () => undefined,
  };
}

function threadOf({ isResumed, native }: SessionOrder): string | undefined {
  if (!isResumed) return undefined;
  if (isThread(native)) return native;
  const what = native === undefined ? 'no thread is known of it' : `${shown(native)} is no thread of codex`;
  throw new LegionError('agent.session_unknown', what);
}

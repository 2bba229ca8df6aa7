/** Codex dialect: runs one Codex process per turn, all on the same thread. */
import { LegionError, quoteText } from '../../core/model/fault.ts';
import type {
  AgentConversation,
  AgentDialect,
  AgentSessionOptions,
  EmitAgentLine,
} from '../runner/dialect.ts';
import { prepareCodexHome } from './home.ts';
import { ThreadRecord } from './steps.ts';
import { CODEX_TURN_TIMEOUTS, type CodexTurnListener, type CodexTurnTimeouts, runCodexTurn } from './turn.ts';

export const codexDialect: AgentDialect = createCodexDialect(CODEX_TURN_TIMEOUTS);

export function createCodexDialect(timeouts: CodexTurnTimeouts): AgentDialect {
  return {
    // Codex's Stop hook reminds the agent within the turn, which saves starting a process and
    // rereading the thread.
    reminders: 'agent',
    open: async (options, emit) => openCodexConversation(options, emit, timeouts),
  };
}

function openCodexConversation(
  options: AgentSessionOptions,
  emit: EmitAgentLine,
  timeouts: CodexTurnTimeouts,
): AgentConversation {
  const { workspace, folder, program, env, equipment } = options;
  const record = new ThreadRecord(folder);
  let thread = resolveThread(options);
  const rules = thread === undefined ? undefined : record.findRules(thread);
  const home = prepareCodexHome(options, { hasNewRules: rules !== undefined && rules !== equipment.rules });
  /**
   * Prompts that did not reach the thread, because their turn was interrupted first. The next turn
   * starts with them.
   */
  const pendingPrompts: string[] = [];
  let reportedThread: string | undefined;
  let startedThread: string | undefined;

  const listener: CodexTurnListener = {
    emit,
    onThreadStarted(id) {
      startedThread = id;
      record.recordThread(id, equipment.rules);
      if (reportedThread !== id) emit({ type: 'started', session: id });
      reportedThread = id;
    },
    onPromptTaken() {
      // Sets the thread only now, because a thread that ends right at its start is never saved and
      // cannot be continued.
      thread = startedThread ?? thread;
      pendingPrompts.length = 0;
    },
    onUsage: (total) => emit({ type: 'usage', ...record.recordUsage(total) }),
  };

  return {
    async runTurn(prompt, interrupt) {
      pendingPrompts.push(prompt);
      if (interrupt.aborted) return { how: 'interrupted' };
      const argv = buildCodexCommand(program, thread);
      const stdin = pendingPrompts.join('\n\n');
      const process = { argv, cwd: workspace, env: { ...env, CODEX_HOME: home }, stdin };
      return runCodexTurn(process, listener, timeouts, interrupt);
    },
    // Each process exits at the end of its turn, so nothing is left to close.
    close: async () => undefined,
  };
}

function resolveThread({ isResumed, native }: AgentSessionOptions): string | undefined {
  if (!isResumed) return undefined;
  if (isThreadId(native)) return native;
  const message =
    native === undefined
      ? 'no codex thread is recorded for the session'
      : `${quoteText(native)} is not a codex thread`;
  throw new LegionError('agent.session_unknown', message);
}

const EXEC_FLAGS = [
  '--json',
  // The workspace is not necessarily a git repository.
  '--skip-git-repo-check',
  // The sandbox, if any, encloses the whole worker, and no person is present to approve anything.
  '--dangerously-bypass-approvals-and-sandbox',
  // The only hook is in the configuration that Legion writes. Without this flag, Codex would wait
  // for a person to trust the hook.
  '--dangerously-bypass-hook-trust',
  // Ignores a repository's rules about which commands may run.
  '--ignore-rules',
] as const;

/**
 * Format of a thread id. `resume` would treat any other text as a thread name and start a new
 * thread.
 */
const THREAD_ID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isThreadId(native: string | undefined): native is string {
  return native !== undefined && THREAD_ID_PATTERN.test(native);
}

/**
 * Builds the command line of one turn, which starts a new thread if `thread` is undefined. The
 * command line contains neither a secret nor prompt text; the prompt goes to standard input.
 */
export function buildCodexCommand(program: string, thread: string | undefined): [string, ...string[]] {
  const args = thread === undefined ? ['exec', ...EXEC_FLAGS] : ['exec', 'resume', ...EXEC_FLAGS, thread];
  return [program, ...args, '-'];
}

/** Claude Code dialect: each turn is a `claude -p` process that starts or continues the session. */
import { LegionError } from '../../core/model/fault.ts';
import type {
  AgentConversation,
  AgentDialect,
  AgentSessionOptions,
  EmitAgentLine,
  TurnEnd,
} from '../runner/dialect.ts';
import { buildEnvironment, type ClaudeSessionFiles, writeSessionFiles } from './equip.ts';
import { runClaudeTurn } from './turn.ts';

export const claudeCodeDialect: AgentDialect = {
  reminders: 'agent',
  open: async (options, emit) => openClaudeConversation(options, emit),
};

function openClaudeConversation(options: AgentSessionOptions, emit: EmitAgentLine): AgentConversation {
  const { program, workspace, model, isResumed } = options;
  const files = writeSessionFiles(options.folder, options.equipment);
  const env = buildEnvironment(options, process.getuid?.() === 0);
  const session = options.native ?? options.session;
  let isBegun = isResumed;
  let isReported = false;
  /**
   * Prompts that the session may not contain yet: a turn interrupted right at its start leaves no
   * trace in the session.
   */
  let pendingPrompts: readonly string[] = [];

  const listener = {
    emit,
    onSessionStored(native: string) {
      isBegun = true;
      if (!isReported) emit({ type: 'started', session: native });
      isReported = true;
    },
    onPromptStored() {
      pendingPrompts = [];
    },
  };

  function runWithFlag(flag: SessionFlag, interrupt: AbortSignal): Promise<TurnEnd> {
    const argv = buildClaudeCommand({ program, files, workspace, model, flag, session });
    const stdin = formatPromptLine(pendingPrompts.join('\n\n'));
    return runClaudeTurn({ argv, cwd: workspace, env, stdin }, listener, interrupt);
  }

  return {
    async runTurn(prompt, interrupt) {
      pendingPrompts = [...pendingPrompts, prompt];
      const [flag, otherFlag] = chooseSessionFlags(isBegun, isResumed);
      try {
        return await runWithFlag(flag, interrupt);
      } catch (error) {
        if (otherFlag === undefined || !isSessionError(error)) throw error;
        return await runWithFlag(otherFlag, interrupt);
      }
    },
    close: async () => undefined,
  };
}

/**
 * Chooses the flag to try first, and a fallback in case our record is wrong: the session may exist
 * although its record was lost, or it may have left no trace. If we were asked to resume a session,
 * there is no fallback, because only the caller may decide to start over.
 */
function chooseSessionFlags(isBegun: boolean, isResumed: boolean): readonly [SessionFlag, SessionFlag?] {
  if (isResumed) return ['--resume'];
  return isBegun ? ['--resume', '--session-id'] : ['--session-id', '--resume'];
}

function isSessionError(error: unknown): boolean {
  return (
    error instanceof LegionError &&
    (error.code === 'agent.session_taken' || error.code === 'agent.session_unknown')
  );
}

export interface ClaudeCommandOptions {
  readonly program: string;
  readonly files: ClaudeSessionFiles;
  readonly workspace: string;
  readonly model: string | undefined;
  readonly flag: SessionFlag;
  readonly session: string;
}

/** `--session-id` starts a session under a given id; `--resume` continues it. */
export type SessionFlag = '--session-id' | '--resume';

/** Tools that would reach outside the workspace or outlive the turn. */
const DISALLOWED_TOOLS = 'EnterWorktree,ExitWorktree,ScheduleWakeup,SendMessage,Workflow';

/** Builds the command line of one turn. */
export function buildClaudeCommand(command: ClaudeCommandOptions): readonly [string, ...string[]] {
  const { program, files, workspace, model, flag, session } = command;
  return [
    program,
    ...['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'],
    // Streams the token counts of each response, because a turn that is killed does not report them
    // anywhere else.
    '--include-partial-messages',
    // No person is present to approve tool calls.
    '--dangerously-skip-permissions',
    // Ignores the hooks, variables, servers and permissions of the repository and the user. Legion
    // passes its own settings in a file.
    ...['--setting-sources', '', '--settings', files.settings],
    ...['--strict-mcp-config', '--mcp-config', files.mcp],
    ...['--plugin-dir', files.plugin, '--append-system-prompt-file', files.rules],
    ...['--add-dir', workspace, '--disallowedTools', DISALLOWED_TOOLS],
    ...(model === undefined ? [] : ['--model', model]),
    ...[flag, session],
  ];
}

/**
 * Formats the input line that carries the prompt. Keeps the prompt out of the last block: `@path`
 * and `/command` take effect only there, and the prompt contains untrusted issue text.
 */
export function formatPromptLine(prompt: string): string {
  const content = [prompt, 'Begin.'].map((text) => ({ type: 'text', text }));
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
}

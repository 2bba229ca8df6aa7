/** The command that takes one turn, and the line its prompt arrives in. */
import type { Files } from './equip.ts';

export interface TurnCommand {
  readonly program: string;
  readonly files: Files;
  readonly workspace: string;
  readonly model: string | undefined;
  readonly way: Way;
  readonly session: string;
}

/** Beginning a session under its id, or going on with it. */
export type Way = '--session-id' | '--resume';

/** They lead out of the workspace, or out of the turn. */
const WITHHELD = 'EnterWorktree,ExitWorktree,ScheduleWakeup,SendMessage,Workflow';

export function commandLine(command: TurnCommand): readonly [string, ...string[]] {
  const { program, files, workspace, model, way, session } = command;
  return [
    program,
    ...['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'],
    // The tokens of each answer as it ends: of a turn that is killed there is no other account.
    '--include-partial-messages',
    // Nobody is there to be asked.
    '--dangerously-skip-permissions',
    // Neither the repository's settings nor the person's: hooks, variables, servers, permissions. Ours come by file.
    ...['--setting-sources', '', '--settings', files.settings],
    ...['--strict-mcp-config', '--mcp-config', files.mcp],
    ...['--plugin-dir', files.plugin, '--append-system-prompt-file', files.rules],
    ...['--add-dir', workspace, '--disallowedTools', WITHHELD],
    ...(model === undefined ? [] : ['--model', model]),
    ...[way, session],
  ];
}

/**
 * `@path` and `/command` act only in the last block of a message, and what an issue says is in the prompt: so the prompt is never the
 * last block.
 */
export function promptLine(prompt: string): string {
  const content = [prompt, 'Begin.'].map((text) => ({ type: 'text', text }));
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
}

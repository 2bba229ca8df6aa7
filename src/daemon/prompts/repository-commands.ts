/** The block of a prompt that names the repository's own commands, as one types them. */
import { shellWord } from '../../domain/shell-word.ts';
import type { CommandName } from '../repository.ts';
import { TEXT_LABELS } from './quote-untrusted.ts';

export interface PromptCommands {
  /** Whether the operator approved exactly these; Legion runs them only then. */
  readonly approved: boolean;
  readonly commands: Readonly<Partial<Record<CommandName, readonly string[] | undefined>>>;
}

/** What each command is for, in the order in which a worker meets them. */
const USES: Readonly<Record<CommandName, string>> = {
  setup: 'Setup, done when this workspace was made; run it again after dependencies changed',
  test: 'Tests',
  quality_gate: 'Quality gate, which Legion runs when an implementer calls `done`',
  ci: 'CI, which runs in a clean checkout of the branch',
};

export function repositoryCommandsBlock({ approved, commands }: PromptCommands): string {
  const lines = (Object.keys(USES) as CommandName[]).flatMap((name) => {
    const argv = commands[name];
    return argv === undefined ? [] : [`- ${USES[name]}: ${codeSpan(commandLine(argv))}`];
  });
  const text =
    lines.length === 0
      ? [
          'The repository names no commands. Read its README, its build files and its CI files to find out how tests and checks are run.',
        ]
      : [opening(approved), ...lines];
  return ['## Commands of this repository', '', ...text].join('\n');
}

export function commandLine(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w./@%+=:,-]+$/.test(word) ? word : shellWord(word))).join(' ');
}

/** On one line, between more backticks than it contains. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([row]) => row.length));
  const ticks = '`'.repeat(longest + 1);
  const padding = longest === 0 ? '' : ' ';
  return `${ticks}${padding}${line}${padding}${ticks}`;
}

function opening(approved: boolean): string {
  return approved
    ? 'Run them in the root of the workspace:'
    : `The operator has not approved these commands, so Legion does not run them (${TEXT_LABELS.untrusted}):`;
}

/** Builds the prompt block that lists the repository's own commands, written as in a shell. */
import { quoteShellWord } from '../../core/model/format.ts';
import type { CommandName, PromptCommands } from '../context/repository.ts';
import { TEXT_LABELS } from './quote-untrusted.ts';

/** Purpose of each command, in the order in which a worker needs them. */
const USES: Readonly<Record<CommandName, string>> = {
  setup: 'Setup, which ran when this workspace was created; run it again when dependencies change',
  test: 'Tests',
  quality_gate: 'Quality gate, which Legion runs when an implementer calls `done`',
  ci: 'CI, which runs in a clean checkout of the branch',
};

export function renderCommandsBlock({ approved, commands }: PromptCommands): string {
  const lines = (Object.keys(USES) as CommandName[]).flatMap((name) => {
    const argv = commands[name];
    return argv === undefined ? [] : [`- ${USES[name]}: ${formatCodeSpan(formatCommandLine(argv))}`];
  });
  const text =
    lines.length === 0
      ? [
          'The repository defines no commands. Read its README, build files and CI files to find out how to run tests and checks.',
        ]
      : [describeApproval(approved), ...lines];
  return ['## Commands of this repository', '', ...text].join('\n');
}

export function formatCommandLine(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w./@%+=:,-]+$/.test(word) ? word : quoteShellWord(word))).join(' ');
}

/** Returns a code span on one line, delimited by more backticks than the text contains. */
export function formatCodeSpan(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([row]) => row.length));
  const ticks = '`'.repeat(longest + 1);
  const padding = longest === 0 ? '' : ' ';
  return `${ticks}${padding}${line}${padding}${ticks}`;
}

function describeApproval(approved: boolean): string {
  return approved
    ? 'Run these commands in the root of the workspace:'
    : `The operator has not approved these commands, so Legion does not run them (${TEXT_LABELS.untrusted}):`;
}

/**
 * Tests that docs/cli.md lists every command, and mentions no command or option that does not
 * exist.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS, ROOT } from '../../../src/cli/program/command-table.ts';
import type { CommandTable } from '../../../src/cli/program/define-command.ts';
import { findCommand } from '../../../src/cli/program/dispatch.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
/** The text after `legion` in every code span that starts with `legion`. */
const LINES = [...PAGE.matchAll(/`legion ([^`]+)`/g)].map(([, line = '']) => line);

test('docs/cli.md mentions every command that the help lists', async () => {
  const names = await namesIn([], COMMANDS);
  const missing = names.filter((name) => !LINES.some((line) => `${line} `.startsWith(`${name} `)));
  // If a line mentions a second command, such as `resume …` after `pause …`, that second command
  // has its own code span.
  expect(missing.filter((name) => !PAGE.includes(`\`${name}`))).toEqual([]);
});

test('docs/cli.md mentions only commands and options that exist', async () => {
  for (const line of LINES) {
    const { path, node } = await findCommand(['legion'], ROOT, line.split(' '));
    if (path.length === 1) expect(line).toMatch(/^(?:COMMAND|help|--\w+|-\w)/);
    if ('members' in node) continue;
    const options = node.build().options.flatMap(({ short, long }) => [short, long]);
    for (const [option] of line.matchAll(/(?<=[ [|])--?[a-z][a-z-]*/g))
      if (!(path[1] === 'issue' && path[2] === 'label'))
        expect([...options, '--help'], line).toContain(option);
  }
});

/** Lists leaf commands only. A group appears as the first word of its members. */
async function namesIn(words: readonly string[], table: CommandTable): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(table)
      .filter(([name, { hidden }]) => hidden !== true && name !== 'worker')
      .map(async ([name, { load }]) => {
        const node = await load();
        const path = [...words, name];
        return 'members' in node ? namesIn(path, node.members) : [path.join(' ')];
      }),
  );
  return found.flat();
}

/** Every command line is read by one reader: what it refuses, and that each command has a form and a help. */
import { describe, expect, test } from 'vitest';
import { readArguments, wholeNumber } from '../../src/cli/arguments.ts';
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/program/command-table.ts';
import { perform } from './in-process.ts';

const NOWHERE = { cwd: '/', env: {} };
const FORM = {
  name: 'boil',
  says: 'Boils water.',
  takes: { pot: 'one', lid: 'optional' },
  options: {
    minutes: { value: 'N', says: 'how long' },
    herb: { value: 'HERB', many: true, says: 'what goes in' },
    hot: { says: 'hotter' },
  },
} as const;

describe('a command line that fits', () => {
  test('gives every place and option, also those that were left out', () => {
    expect(readArguments(FORM, ['big'])).toEqual({
      ...{ pot: 'big', lid: undefined },
      options: { minutes: undefined, herb: [], hot: false },
    });
  });

  test('takes options in any order, repeated ones as a list, and text after --', () => {
    const args = ['--herb', 'mint', '--hot', '--minutes=3', '--herb=sage', '--', '-pot', '--lid'];
    expect(readArguments(FORM, args)).toEqual({
      ...{ pot: '-pot', lid: '--lid' },
      options: { minutes: '3', herb: ['mint', 'sage'], hot: true },
    });
  });
});

test.each([
  [[], 'boil needs POT; it is called as legion boil POT [LID] [options]'],
  [
    ['a', 'b', 'c\u001b[2J'],
    'boil takes no further "c\\u001b[2J"; it is called as legion boil POT [LID] [options]',
  ],
  [['a', '--minuts', '3'], 'boil has no option "--minuts" (did you mean --minutes?)'],
  [['a', '--xyz=secret'], 'boil has no option "--xyz"'],
  [['a', '-x'], 'boil has no option "-x"'],
  [
    ['a', '--minutes'],
    '--minutes needs a value, its N; one that begins with "-" is given as --minutes=VALUE',
  ],
  [
    ['a', '--minutes', '-3'],
    '--minutes needs a value, its N; one that begins with "-" is given as --minutes=VALUE',
  ],
  [['a', '--hot=yes'], '--hot takes no value'],
])('refuses %j', (args, message) => {
  expect(() => readArguments(FORM, args)).toThrowError(
    expect.objectContaining({ code: 'usage.invalid', message }),
  );
});

test('a number of an option is whole and large enough', () => {
  expect(wholeNumber('--minutes', '3', 1)).toBe(3);
  for (const text of ['', '-1', '1.5', '0', 'many', '9'.repeat(16)]) {
    expect(() => wholeNumber('--minutes', text, 1)).toThrowError(/--minutes takes a whole number from 1/);
  }
});

test('every command, and every command below one, has a help and refuses an unknown option', async () => {
  const all = await everyCommand();
  expect(all.length).toBeGreaterThan(35);
  for (const [words, command] of all) {
    expect(command.help, words.join(' ')).toMatch(/legion/);
    if (command.subcommands !== undefined) continue;
    const { error } = await perform(NOWHERE, ...words, '--no-such-option');
    expect(error?.code, words.join(' ')).toBe('usage.invalid');
    expect(error?.message, words.join(' ')).toContain('--no-such-option');
    const help = await perform(NOWHERE, ...words, '--help');
    expect(help, words.join(' ')).toMatchObject({ exit: 0, out: command.help });
  }
});

/** One line for each way a command can be called wrongly; nothing of a daemon is asked before that is said. */
const NOT_UNDERSTOOD = [
  'issue',
  'issue ad',
  'issue add',
  'issue add x --priority soon',
  'issue add x --status nowhere',
  'issue add x --body a --body-file b',
  'issue list extra',
  'issue list --status nowhere',
  'issue show',
  'issue edit SHOP-1',
  'issue comment SHOP-1',
  'issue label SHOP-1',
  'issue label SHOP-1 bug',
  'issue move SHOP-1',
  'issue move SHOP-1 nowhere',
  'issue close',
  'dispatch SHOP-1',
  'dispatch SHOP-1 plan --version x',
  'dispatch SHOP-1 plan --env x',
  'prompt SHOP-1',
  'advance',
  'advance SHOP-1 --stage nowhere',
  'explain',
  'gates SHOP-1 SHOP-2',
  'approve',
  'answer SHOP-1',
  'answer SHOP-1 x --question 0',
  'inbox x',
  'pause a b',
  'resume a b',
  'rollback',
  'pr',
  'pr show 5',
  'pr merge',
  'pr merge five',
  'pr merge 0',
  'pr merge -5',
  'pr merge 5 6',
  'reset-crashes',
  'stop --all SHOP-1',
  'stop --all --restart',
  'stop --restart',
  'stop SHOP-1 --why x',
  'down --leave --stop',
  'halt SHOP-1',
  'gc x',
  'logs',
  'logs SHOP-1 plan --attempt 0',
  'handoff',
  'handoff write SHOP-1',
  'handoff read SHOP-1 --phase lunch',
  'status x',
  'watch x',
  'watch --after x',
  'teams x',
  'up x',
  'up --port x',
  'down x',
  'restart x',
  'init x',
  'doctor x',
  'config',
  'config check x',
  'metrics x',
  'replay',
];

test('each command says what it does not understand before it asks a daemon', async () => {
  for (const line of NOT_UNDERSTOOD) {
    const { error } = await perform(
      { cwd: '/', env: { LEGION_ID: 'shop', HOME: '/nonexistent' } },
      ...line.split(' '),
    );
    expect(error?.code, line).toBe('usage.invalid');
  }
});

async function everyCommand(): Promise<readonly (readonly [readonly string[], Command])[]> {
  const top = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, entry]) => [[name], await entry.load()] as const),
  );
  return top.flatMap(([words, command]) => withBelow(words, command));
}

function withBelow(
  words: readonly string[],
  command: Command,
): readonly (readonly [readonly string[], Command])[] {
  const below = Object.entries(command.subcommands ?? {});
  return [[words, command], ...below.flatMap(([word, each]) => withBelow([...words, word], each))];
}

/** Tests parsing of command lines: every command has help and rejects invalid arguments. */
import { Command } from '@commander-js/extra-typings';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/program/command-table.ts';
import {
  type CliCommand,
  type CommandGroup,
  type CommandTable,
  collectValues,
  defineCommand,
  parseWholeNumber,
} from '../../../src/cli/program/define-command.ts';
import { perform } from '../support/in-process.ts';
import { parseLine } from '../support/parse-line.ts';

const NOWHERE = { cwd: '/', env: {} };
const BOIL = defineCommand(
  () =>
    new Command()
      .argument('<POT>')
      .argument('[LID]')
      .option('-m, --minutes <N>', 'how long')
      .option('--herb <HERB>', 'what goes in', collectValues, [])
      .option('--hot', 'hotter'),
  async () => undefined,
);
const SAY = defineCommand(
  () => new Command().argument('<TEXT...>'),
  async () => undefined,
);

describe('parsing', () => {
  test('returns every argument, and a default value for each omitted argument', () => {
    expect(parseLine(BOIL, ['boil'], ['big'])).toMatchObject({
      positionals: ['big', undefined],
      options: { herb: [] },
    });
  });

  test('accepts options in any order, collects repeated options, and treats everything after -- as text', () => {
    const args = ['--herb', 'mint', '--hot', '--minutes=3', '--herb=-sage', '--', '-pot', '--lid'];
    expect(parseLine(BOIL, ['boil'], args)).toMatchObject({
      positionals: ['-pot', '--lid'],
      options: { minutes: '3', herb: ['mint', '-sage'], hot: true },
    });
  });

  test.each([[['a', '-m3']], [['a', '-m', '3']], [['a', '--minutes', '3', '--hot', '--hot']]])(
    'accepts %j',
    (args) => {
      expect(parseLine(BOIL, ['boil'], args).options).toMatchObject({ minutes: '3' });
    },
  );
});

const VALUE_HINT =
  '--minutes needs a value: --minutes N. Write a value that begins with a dash as --minutes=VALUE.';

test.each([
  [[], "Missing required argument 'POT'."],
  [['a', 'b', 'c\u001b[2J'], "Too many arguments for 'boil'. Expected 2 arguments but got 3."],
  [['a', '--minuts', '3'], "Unknown option '--minuts'. Did you mean --minutes?"],
  [['a', '--xyz=secret'], "Unknown option '--xyz'."],
  [['a', "--minuts=it's secret"], "Unknown option '--minuts'. Did you mean --minutes?"],
  [['a', '-x'], "Unknown option '-x'."],
  [['a', '--minutes'], VALUE_HINT],
  [['a', '--minutes', '-3'], VALUE_HINT],
  [['a', '--minutes', '--hot'], VALUE_HINT],
  [['a', '--minutes', '--', '3'], VALUE_HINT],
  [['a', '--hot=yes'], '--hot takes no value.'],
  [['a', '--minutes', '3', '--minutes=4'], '--minutes can be given only once.'],
  [['a', '-m3', '--minutes=4'], '--minutes can be given only once.'],
])('rejects %j', (args, message) => {
  expect(() => parseLine(BOIL, ['boil'], args)).toThrowError(
    expect.objectContaining({
      code: 'usage.invalid',
      message,
      fault: expect.objectContaining({ next: 'Run `legion boil --help` to see how to use it.' }),
    }),
  );
});

test('explains how to write text that starts with a dash', () => {
  expect(() => parseLine(SAY, ['say'], ['-x marks the spot'])).toThrowError(
    "Unknown option '-x marks the spot'. Put text that begins with a dash after --.",
  );
  expect(parseLine(SAY, ['say'], ['--', '-x', 'marks']).positionals).toEqual([['-x', 'marks']]);
});

test('an option that takes a number rejects fractions and numbers that are too small', () => {
  const parse = parseWholeNumber('--minutes', 1);
  expect(parse('3')).toBe(3);
  for (const text of ['', '-1', '1.5', '0', 'many', '9'.repeat(16)]) {
    expect(() => parse(text)).toThrowError(/--minutes takes a whole number of at least 1/);
  }
});

test('every command and subcommand has help and rejects an unknown option', async () => {
  const all = await everyCommand();
  expect(all.length).toBeGreaterThan(60);
  for (const [words, node] of all) {
    const line = words.join(' ');
    const help = await perform(NOWHERE, ...words, '--help');
    expect(help, line).toMatchObject({ exit: 0, err: '' });
    expect(help.out, line).toContain(`Usage: legion ${line}`);
    expect((await perform(NOWHERE, 'help', ...words)).out, line).toBe(help.out);
    if ('members' in node) continue;
    const { error } = await perform(NOWHERE, ...words, '--no-such-option');
    expect(error?.code, line).toBe('usage.invalid');
    expect(error?.message, line).toContain('--no-such-option');
    expect(error?.fault.next, line).toBe(`Run \`legion ${line} --help\` to see how to use it.`);
  }
});

test('every argument and option of a public command has a description', async () => {
  for (const [words, node] of await everyCommand()) {
    if ('members' in node) continue;
    const command = node.build();
    expect(command.description(), words.join(' ')).toMatch(/^[A-Z].*\.$/s);
    for (const { description, flags } of command.options)
      expect(description, `${words.join(' ')} ${flags}`).toMatch(/^\S.*[^.]$/);
    for (const argument of command.registeredArguments)
      expect(argument.description, `${words.join(' ')} ${argument.name()}`).toMatch(/^\S/);
  }
});

describe('help', () => {
  test.each([60, 80, 120])('fits %i columns without breaking words', async (columns) => {
    for (const [words] of [[[]] as const, ...(await everyCommand())]) {
      const { out } = await perform({ ...NOWHERE, columns }, 'help', ...words);
      for (const line of out.split('\n'))
        expect(stringWidth(line), `legion ${words.join(' ')}: ${line}`).toBeLessThanOrEqual(columns);
      const { out: wide } = await perform({ ...NOWHERE, columns: 120 }, 'help', ...words);
      expect(out.split(/\s+/), words.join(' ')).toEqual(wide.split(/\s+/));
    }
  });

  test('lists commands under headings and options under groups, and shows examples', async () => {
    expect((await perform(NOWHERE, 'issue', 'list', '--help')).out).toBe(
      [
        'Usage: legion issue list [options]',
        '',
        'List the issues that are not done or closed.',
        '',
        'Options:',
        '  --status STATUS  List only issues with this status',
        '  --all            Also list issues that are done or closed',
        '',
        'Common options:',
        '  --json           Print JSON instead of text',
        '  --legion NAME    Use this legion instead of this folder’s legion',
        '  --config FILE    Use this legion.yaml (default: here or in a parent folder)',
        '  -h, --help       Show this help',
        '',
        'Examples:',
        '  legion issue list',
        '  legion issue list --status in-progress',
        '',
      ].join('\n'),
    );
  });

  test('contains only examples that the command accepts', async () => {
    for (const [words, node] of await everyCommand()) {
      const { out } = await perform(NOWHERE, 'help', ...words);
      const [, text = ''] = /\nExamples:\n(.*)$/s.exec(out) ?? [];
      for (const line of text.split('\n').filter((each) => each !== '')) {
        const typed = shellWords(line.replace(/ < .*$/, ''));
        expect(typed.slice(0, words.length + 1), line).toEqual(['legion', ...words]);
        if (!('members' in node)) parseLine(node, words, typed.slice(words.length + 1));
      }
    }
  });
});

/** For each command, one invalid command line. Each is rejected before any request to a daemon. */
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

test('every command rejects invalid arguments before it contacts a daemon', async () => {
  for (const line of NOT_UNDERSTOOD) {
    const { error } = await perform(
      { cwd: '/', env: { LEGION_ID: 'shop', HOME: '/nonexistent' } },
      ...line.split(' '),
    );
    expect(error?.code, line).toBe('usage.invalid');
  }
});

async function everyCommand(): Promise<readonly (readonly [readonly string[], CliCommand | CommandGroup])[]> {
  return commandsOf([], COMMANDS);
}

async function commandsOf(
  words: readonly string[],
  table: CommandTable,
): Promise<readonly (readonly [readonly string[], CliCommand | CommandGroup])[]> {
  const found = await Promise.all(
    Object.entries(table).map(async ([name, { load }]) => {
      const node = await load();
      const path = [...words, name];
      return [[path, node] as const, ...('members' in node ? await commandsOf(path, node.members) : [])];
    }),
  );
  return found.flat();
}

function shellWords(line: string): readonly string[] {
  return [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

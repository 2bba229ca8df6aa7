import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../../src/cli/main.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import { getPhaseMode, type Mode } from '../../../src/core/model/mode.ts';
import { getVerbModes, VERB_NAMES, type VerbName } from '../../../src/protocol/verb.ts';
import { newWorker, openWireEdge, type WireEdge } from '../../worker-client/wire-edge.ts';

const folder = mkdtempSync(join(tmpdir(), 'legion-worker-line-'));
const fixture = newWorker('implement');
let edge: WireEdge;

/** A valid response to every verb except those that show an issue or a pull request. */
const ANSWER = {
  says: 'noted',
  durable: true,
  question: 1,
  handoffs: {},
  phase: 'plan',
  children: [],
  sha: 'abc',
  branch: 'b',
  number: 1,
  mergedSha: 'def',
  message: 2,
  worker: 'demo-1-plan',
  issue: 'DEMO-1',
  mode: 'plan',
  attempt: 3,
  state: 'executing',
};
const ISSUE = {
  issue: {
    id: 'DEMO-1',
    title: 't',
    body: '',
    status: 'Todo',
    column: 'Todo',
    labels: [],
    priority: 0,
    createdAt: 0,
    blockedBy: [],
  },
  comments: [],
  pullRequest: null,
  remarks: [],
};

const PULL_REQUEST = {
  number: 7,
  state: 'open',
  draft: false,
  title: 'Greet',
  branch: 'DEMO-1',
  headSha: 'abc',
  review: 'none',
  ci: 'failing',
  mergeable: 'mergeable',
  base: 'main',
  author: 'demo-1-implement',
  labels: ['worker-approved'],
  additions: 3,
  deletions: 1,
  files: ['src/greet.js'],
  body: 'Closes DEMO-1',
};
const CI = {
  says: 'CI fails at the head of the pull request.',
  number: 7,
  sha: 'abc',
  status: 'failing',
  checks: [
    { name: 'lint', status: 'passing' },
    {
      name: 'unit',
      status: 'failing',
      url: 'https://ci.example.org/1',
      summary: '1 failed',
      log: 'not ok 3 - greets',
    },
    { name: 'e2e', status: 'failing', missing: 'GitHub no longer has the log.' },
  ],
};
const BODIES: Readonly<Record<string, unknown>> = {
  '/worker/issue': ISSUE,
  '/worker/pr_show': PULL_REQUEST,
  '/worker/ci': CI,
};

beforeAll(async () => {
  edge = await openWireEdge(fixture.state, ({ path }) => ({ body: BODIES[path] ?? ANSWER }));
});
afterAll(async () => {
  await edge.close();
  fixture.remove();
  rmSync(folder, { recursive: true });
});

async function line(
  args: readonly string[],
  mode: Mode,
  stdin = '',
  signal = new AbortController().signal,
  who = fixture,
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const context: CommandContext = {
    env: { ...who.env, LEGION_MODE: mode },
    cwd: folder,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    signal,
  };
  const code = await runCommand(['worker', ...args], context);
  stdout.end();
  return { code, stdout: await text(stdout) };
}

const LINES: readonly [VerbName, readonly string[], unknown, string?][] = [
  ['issue', ['issue'], {}],
  ['done', ['done', 'all of it'], { summary: 'all of it' }],
  ['done', ['done', '--summary', 'all of it', '--json'], { summary: 'all of it' }],
  ['done', ['done', '--file', '-'], { summary: 'long\ntext' }, 'long\ntext\n'],
  ['done', ['done', '--', '--help me'], { summary: '--help me' }],
  ['done', ['done', '--sent-back', 'unfit'], { summary: 'unfit', sentBack: 'unfit' }],
  ['done', ['done', 'tried it', '--sent-back', 'unfit'], { summary: 'tried it', sentBack: 'unfit' }],
  ['error', ['error', '--file', 'text.md'], { summary: '# Über' }],
  ['ask', ['ask', 'A or B?'], { question: 'A or B?' }],
  [
    'checkpoint',
    ['checkpoint', 'half', '--completed', 'a', '--completed', 'b', '--remaining', 'c', '--last-action', 'd'],
    { stage: 'half', completed: ['a', 'b'], remaining: ['c'], lastAction: 'd' },
  ],
  ['handoff_read', ['handoff', 'read'], {}],
  ['handoff_read', ['handoff', 'read', '--phase', 'plan'], { phase: 'plan' }],
  [
    'handoff_write',
    ['handoff', 'write', 's', '--decided', 'x', '--path', 'a.ts', '--test', 'unit', '--details', '{"n":[1]}'],
    {
      summary: 's',
      decided: ['x'],
      done: [],
      left: [],
      files: ['a.ts'],
      tests: ['unit'],
      details: { n: [1] },
    },
  ],
  [
    'handoff_write',
    ['handoff', 'write', '--file', '-', '--left', 'mine'],
    { summary: 'f', decided: [], done: [], left: ['mine'], files: [], tests: [] },
    '{"summary":"f","left":["theirs"]}',
  ],
  ['comment', ['comment', 'hi', '--key', 'k'], { text: 'hi', key: 'k' }],
  [
    'split',
    ['split', '--file', 'split.json', '--revision', '2'],
    { revision: 2, children: [{ title: 'a', body: 'b', labels: [], priority: 0, after: [] }] },
  ],
  ['push', ['push'], {}],
  [
    'pr_open',
    ['pr', 'open', '--title', 't', '--body', 'b', '--draft'],
    { title: 't', body: 'b', draft: true },
  ],
  [
    'pr_open',
    ['pr', 'open', '--title', 't', '--body-file', 'text.md'],
    { title: 't', body: '# Über', draft: false },
  ],
  ['pr_edit', ['pr', 'edit', '--body', '-'], { body: '-' }],
  ['pr_show', ['pr', 'show'], {}],
  ['ci', ['ci'], {}],
  ['pr_ready', ['pr', 'ready'], {}],
  [
    'verdict',
    ['verdict', 'pass', '--suite', 'unit', '--suite', 'e2e', '--detail', 'green'],
    { result: 'pass', suites: ['unit', 'e2e'], detail: 'green' },
  ],
  ['verdict', ['verdict', 'fail', 'red'], { result: 'fail', suites: [], detail: 'red' }],
  ['review', ['review', 'approve', 'fine'], { verdict: 'approve', text: 'fine' }],
  ['review', ['review', 'request-changes', '--file', '-'], { verdict: 'request-changes', text: 'no' }, 'no'],
  ['plan_review', ['plan-review', 'approve', '--text', 'ok'], { verdict: 'approve', text: 'ok' }],
  ['merge', ['merge'], {}],
  ['message', ['message', 'demo-1-plan', 'hello'], { to: 'demo-1-plan', text: 'hello' }],
  ['status', ['status', 'at work'], { text: 'at work' }],
];

describe('the command line of each verb', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'text.md'), '# Über\n');
    writeFileSync(join(folder, 'split.json'), '{"children":[{"title":"a","body":"b"}]}');
  });

  test.each(LINES)('sends the verb %s for the arguments %j', async (verb, args, input, stdin) => {
    edge.heard.length = 0;
    const { code, stdout } = await line(args, getVerbModes(verb)[0] ?? getPhaseMode('plan'), stdin);
    expect(edge.heard).toMatchObject([{ path: `/worker/${verb}` }]);
    expect(edge.heard[0]?.input).toEqual(input);
    expect(code).toBe(0);
    expect(stdout).toMatch(/noted|DEMO-1|CI fails|no handoffs|"durable":true/);
  });

  test('is tested for every verb', () => {
    expect(new Set(LINES.map(([verb]) => verb))).toEqual(new Set(VERB_NAMES));
  });
});

test.each([
  ['a call without a verb', [], 'usage.invalid', 'legion worker needs a subcommand: issue, done'],
  ['an unknown verb', ['constructor'], 'usage.invalid', "Unknown command 'constructor'"],
  [
    'an incomplete verb',
    ['pr'],
    'usage.invalid',
    'legion worker pr needs a subcommand: open, edit, show, ready',
  ],
  ['a wrong second word', ['pr', '__proto__'], 'usage.invalid', "Unknown command '__proto__'"],
  ['a report without a summary', ['done'], 'usage.invalid', 'legion worker done needs a summary'],
  [
    'a summary given twice',
    ['done', 'a', '--summary', 'b'],
    'usage.invalid',
    'legion worker done received its summary twice',
  ],
  ['both a summary and a file', ['done', 'a', '--file', 'x'], 'usage.file_unreadable', '--file: the file /'],
  ['a surplus argument', ['done', 'a', 'b'], 'usage.invalid', "Too many arguments for 'done'"],
  ['an option of another verb', ['done', 'a', '--suite', 'x'], 'usage.invalid', "Unknown option '--suite'"],
  [
    'a split without children',
    ['split'],
    'usage.invalid',
    'legion worker split needs a --file that contains its children',
  ],
  [
    'a list instead of an object',
    ['split', '--file', '-'],
    'input.invalid',
    '-: Expected a JSON object.',
    '[]',
  ],
  ['broken JSON', ['split', '--file', '-'], 'input.invalid', '-: ', '{"a'],
  [
    'a wrong revision',
    ['split', '--file', '-', '--revision', 'x'],
    'input.invalid',
    'split.revision: expected',
    '{"children":[]}',
  ],
  [
    'a wrong verdict',
    ['verdict', 'maybe'],
    'input.invalid',
    'verdict.result: expected one of "pass", "fail"',
  ],
  ['too much input', ['done', '--file', '-'], 'http.body_too_large', '1048576', 'x'.repeat(1_100_000)],
] as const)('`legion worker` refuses %s', async (_, args, code, message, stdin?: string) => {
  edge.heard.length = 0;
  const mode = args[0] === 'verdict' ? 'test' : 'architect';
  await expect(line(args, mode, stdin)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(edge.heard).toEqual([]);
});

test('`legion worker pr show` prints the state of the pull request, and quotes its body between marker lines', async () => {
  const { stdout } = await line(['pr', 'show'], 'review');
  expect(stdout).toContain('pull request 7 · open · review none · CI failing · mergeable · DEMO-1 at abc');
  expect(stdout).toContain('into main · by demo-1-implement · +3 -1 in 1 files · labels: worker-approved');
  expect(stdout).toMatch(/<<< pull request body (\w+)\nCloses DEMO-1\n>>> \1/);
});

test('`legion worker ci` prints every check, and quotes the end of the failing log between marker lines', async () => {
  const { stdout } = await line(['ci'], 'merge');
  expect(stdout).toContain('lint · passing\nunit · failing · https://ci.example.org/1\n');
  expect(stdout).toContain('e2e · failing · GitHub no longer has the log.');
  expect(stdout).toMatch(/<<< summary of unit (\w+)\n1 failed\n>>> \1/);
  expect(stdout).toMatch(/<<< end of the unit log (\w+)\nnot ok 3 - greets\n>>> \1/);
});

test('refuses bytes that are not text', async () => {
  writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]));
  await expect(line(['done', '--file', 'bytes'], 'plan')).rejects.toMatchObject({ code: 'input.invalid' });
});

test('prints JSON with --json, even if the report was rejected or only stored', async () => {
  const { stdout } = await line(['push', '--json'], 'merge');
  expect(JSON.parse(stdout)).toEqual({ says: 'noted', sha: 'abc', branch: 'b' });

  const refusing = newWorker('plan');
  const body = { says: 'not yet', durable: true, accepted: false, missing: 'a plan' };
  const second = await openWireEdge(refusing.state, () => ({ body }));
  const refused = await line(['done', 'x', '--json'], 'plan', '', undefined, refusing);
  await second.close();
  refusing.remove();
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toEqual(body);

  const kept = await line(['checkpoint', 'half', '--json'], 'plan', '', AbortSignal.abort());
  const { file } = JSON.parse(kept.stdout) as { file: string };
  expect(kept.code).toBe(0);
  expect(readdirSync(fixture.outbox).map((name) => join(fixture.outbox, name))).toContain(file);
});

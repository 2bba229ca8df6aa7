/**
 * Tests that every valid form of a scenario file is accepted, and that every invalid form causes a
 * precise error.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findMatchingRule } from '../../../src/agents/scripted/player/choose-steps.ts';
import { loadScenario, parseScenario } from '../../../src/agents/scripted/scenario/load-scenario.ts';
import { STEP_NAMES, type WorkerFacts } from '../../../src/agents/scripted/scenario/scenario.ts';
import { LegionError } from '../../../src/core/model/fault.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-scenario-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/scenarios.md'), 'utf8');

/** Returns the error message for an invalid scenario. */
function complaint(data: unknown): string {
  try {
    parseScenario(data, 'demo.yaml');
  } catch (error) {
    if (error instanceof LegionError && error.code === 'scenario.invalid') return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

const steps = (...list: unknown[]) => ({ rules: [{ steps: list }] });
const good = { say: 'x' };

test.each([
  [null, 'demo.yaml: scenario: expected object, got null; allowed: { rules: a list of rules }'],
  [{}, 'demo.yaml: scenario.rules: is missing; allowed: { rules: a list of rules }'],
  [
    { rules: [], more: 1 },
    'demo.yaml: scenario.rules: must be of length at least 1, got array of length 0; scenario: unknown key "more"',
  ],
  [
    { rules: [{ steps: [good], isue: 'a' }] },
    'demo.yaml: rules[0]: unknown key "isue"; allowed: issue, title, mode',
  ],
  [{ rules: [{ steps: [good] }, { steps: [] }] }, 'demo.yaml: rules[1].steps: must be of length at least 1'],
  [{ rules: [{ steps: [good], mode: 'retro' }] }, 'rules[0].mode: expected one of "architect", "plan"'],
  [{ rules: [{ steps: [good], purpose: 'ci_fail' }] }, 'rules[0].purpose: expected one of "start", "retro"'],
  [
    { rules: [{ steps: [good], attempt: '>=2' }] },
    'rules[0].attempt: matches none of the allowed forms, got ">=2"',
  ],
  [{ rules: [{ steps: [good], round: 0 }] }, 'rules[0].round: must be more than 0, got number 0'],
  [steps(good, { comit: 'x' }), 'rules[0].steps[1]: "comit" is not a step; allowed: say, think, write'],
  [steps({ constructor: 'x' }), 'rules[0].steps[0]: "constructor" is not a step'],
  [
    steps({ say: 'x', think: '1s' }),
    "rules[0].steps[0]: expected an object with one key, the step's name, got 2 keys",
  ],
  [steps('push'), 'rules[0].steps[0]: expected an object with one key'],
  [
    steps(good, good, { commit: 3 }),
    'rules[0].steps[2].commit: expected object, got number 3; allowed: a message, or',
  ],
  [steps({ commit: '' }), 'rules[0].steps[0].commit.message: must be of length at least 1'],
  [
    steps({ think: '2 weeks' }),
    'rules[0].steps[0].think: is not a duration within the allowed range, got "2 weeks"; allowed: a duration',
  ],
  [steps({ think: '2h' }), 'allowed: a duration of at most 1h'],
  [
    steps({ run: 'rm -rf /' }),
    'rules[0].steps[0].run: expected object, got "rm -rf /"; allowed: a list with the program',
  ],
  [steps({ run: [] }), 'rules[0].steps[0].run.argv'],
  [
    steps({ run: { argv: ['x'], timout: '1s' } }),
    'rules[0].steps[0].run: unknown key "timout"; allowed: a list',
  ],
  [
    steps({ write: { path: 'a' } }),
    'rules[0].steps[0].write.content: is missing; allowed: { path, content }',
  ],
  [
    steps({ review: { verdict: 'maybe', text: 'x' } }),
    '.review.verdict: expected one of "approve", "request-changes"',
  ],
  [steps({ done: {} }), 'rules[0].steps[0].done.summary: is missing; allowed: a summary'],
  [steps({ crash: 'SIGTERM' }), 'rules[0].steps[0].crash: matches none of the allowed forms'],
  [steps({ exit: 256 }), 'rules[0].steps[0].exit: must be at most 255, got number 256'],
  [steps({ hang: 'up' }), 'rules[0].steps[0].hang: expected one of "silent", "busy", got "up"'],
  [steps({ ignore_term: false }), 'rules[0].steps[0].ignore_term: expected true, got boolean false'],
  [steps({ escape: '11m' }), 'rules[0].steps[0].escape: is not a duration within the allowed range'],
  [steps({ flood: { bytes: 10 } }), 'rules[0].steps[0].flood.bytes: is not a size within the allowed range'],
])('refuses the scenario %j', (data, says) => {
  expect(complaint(data)).toContain(says);
});

test.each([
  '/etc/passwd',
  '../x',
  'a/../../x',
  '.git/config',
  'a/.GIT/hooks',
  '',
  'a//b',
  './a',
  'a\\b',
  'a\0b',
])('no step accepts the path %j', (path) => {
  for (const step of [
    { write: { path, content: '' } },
    { append: { path, content: '' } },
    { replace: { path, find: 'a', with: 'b' } },
    { remove: path },
    { commit: { message: 'x', include: [path] } },
  ]) {
    expect(complaint(steps(step))).toContain(`rules[0].steps[0].${Object.keys(step)[0]}`);
  }
});

test('YAML and JSON are equivalent', async () => {
  const yaml = join(folder, 'a.yaml');
  const json = join(folder, 'a.json');
  writeFileSync(yaml, 'rules:\n  - attempt: ">1"\n    steps:\n      - push:\n      - think: 1.5s\n');
  writeFileSync(
    json,
    JSON.stringify({ rules: [{ attempt: '>1', steps: [{ push: {} }, { think: '1500ms' }] }] }),
  );
  const { rules } = await loadScenario(yaml);
  expect(rules).toEqual((await loadScenario(json)).rules);
  expect(rules[0]).toEqual({
    attempt: { above: 1 },
    steps: [
      { name: 'push', input: {} },
      { name: 'think', input: 1_500 },
    ],
  });
});

test.each([
  ['bad.yaml', 'rules:\n\t- steps', 'bad.yaml:2:1: not valid YAML'],
  ['twice.yaml', 'rules: []\nrules: []\n', 'twice.yaml:2:1: not valid YAML'],
  ['alias.yaml', 'rules: *nobody\n', 'alias.yaml'],
  ['bad.json', '{"rules": [', 'bad.json: not valid JSON'],
  ['empty.yaml', '', 'empty.yaml: scenario: expected object, got null'],
])('%s is not valid', async (name, text, says) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  await expect(loadScenario(file)).rejects.toMatchObject({
    code: 'scenario.invalid',
    message: expect.stringContaining(says),
  });
});

test('reports a missing file, a directory, a pipe and a huge file as unreadable', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const huge = join(folder, 'huge.yaml');
  writeFileSync(huge, Buffer.alloc(1_000_001, '#'));
  for (const file of [join(folder, 'absent'), folder, pipe, huge]) {
    await expect(loadScenario(file)).rejects.toMatchObject({ code: 'scenario.unreadable' });
  }
});

const facts = {
  issue: 'DEMO-12',
  mode: 'implement',
  phase: 'implement',
  purpose: 'start',
  attempt: 2,
} as const;

async function fits(conditions: object, earlier: readonly WorkerFacts[] = []): Promise<boolean> {
  const { rules } = parseScenario({ rules: [{ ...conditions, steps: [good] }] }, 'x');
  const title = async () => 'Fix the Door';
  return (await findMatchingRule(rules, { facts, earlier, title })) === 0;
}

test.each([
  ...[{}, { issue: 'demo-12' }, { issue: 'DEMO-*' }, { issue: '*-1*' }, { issue: '*' }, { issue: 'D*MO*2' }],
  ...[{ title: 'the door' }, { mode: 'implement' }, { phase: 'implement' }, { purpose: 'start' }],
  ...[{ attempt: 2 }, { attempt: '>1' }, { round: 1 }],
])('the conditions %j match', async (conditions) => {
  expect(await fits(conditions)).toBe(true);
});

test.each([
  ...[
    { issue: 'DEMO-1' },
    { issue: 'DEMO-*3' },
    { issue: '*DEMO-12*2' },
    { issue: 'DEMO.12' },
    { title: 'window' },
  ],
  ...[
    { mode: 'test' },
    { phase: 'retro' },
    { purpose: 'crash' },
    { attempt: 1 },
    { attempt: '>2' },
    { round: 2 },
  ],
])('the conditions %j do not match', async (conditions) => {
  expect(await fits(conditions)).toBe(false);
});

test("counts as rounds only those turns of the session that match the rule's other conditions", async () => {
  const other = { ...facts, attempt: 1 };
  expect(await fits({ round: 3 }, [facts, other])).toBe(true);
  expect(await fits({ round: 2, attempt: '>1' }, [facts, other])).toBe(true);
  expect(await fits({ round: 3, attempt: '>1' }, [facts, other])).toBe(false);
});

test('every example in the documentation is valid, and every step has an example', () => {
  const examples = [...DOCUMENT.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const used = new Set<string>();
  for (const text of examples) {
    const data: unknown = parse(text);
    const scenario = parseScenario(Array.isArray(data) ? steps(...data) : data, 'docs/scenarios.md');
    for (const { steps: list } of scenario.rules) for (const { name } of list) used.add(name);
  }
  expect([...used].toSorted()).toEqual(STEP_NAMES.toSorted());
});

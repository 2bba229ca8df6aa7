/** Tests the built-in scenarios in a real repository against a fake daemon. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getPhaseMode, PHASES, type Phase } from '../../../src/core/model/mode.ts';
import { getVerbModes } from '../../../src/protocol/verb.ts';
import { useStage } from './scripted-stage.ts';

/**
 * Contains a placeholder. The built-in scenario puts the title on one line and leaves the
 * placeholder as it is, because an issue's title is not scenario text.
 */
const TITLE = `Say hello to \${issue}`;

const stage = useStage();
const heard = () => stage().daemon.heard.map(({ verb, input }) => ({ [verb]: input }));
const verbs = () => stage().daemon.heard.map(({ verb }) => verb);
const read = (path: string) => readFileSync(join(stage().workspace, path), 'utf8');

function turn(phase: Phase, purpose = 'start', more: { resume?: boolean; attempt?: string } = {}) {
  const { resume = false, attempt = '1' } = more;
  const mode = getPhaseMode(phase);
  const env = { LEGION_PHASE: phase, LEGION_MODE: mode, LEGION_PURPOSE: purpose, LEGION_ATTEMPT: attempt };
  return stage().play(undefined, { session: mode, resume, env });
}

test("takes an issue through all phases, and uses only the verbs that each phase's mode allows", async () => {
  stage().daemon.title(`Say  hello\nto \${issue}`);
  const said: Record<string, readonly string[]> = {};
  for (const phase of PHASES) {
    const before = verbs().length;
    const purpose = phase === 'retro' ? 'retro' : 'start';
    expect(await turn(phase, purpose, { resume: phase === 'retro' })).toMatchObject({
      code: 0,
      fault: undefined,
    });
    said[phase] = verbs().slice(before);
    for (const verb of verbs().slice(before)) expect(getVerbModes(verb)).toContain(getPhaseMode(phase));
  }
  expect(said).toEqual({
    architect: ['issue', 'handoff_write', 'done'],
    plan: ['issue', 'handoff_write', 'done'],
    implement: ['issue', 'push', 'pr_open', 'handoff_write', 'done'],
    test: ['verdict', 'done'],
    review: ['review', 'done'],
    retro: ['issue', 'push', 'handoff_write', 'done'],
    merge: ['merge', 'done'],
  });
  expect(heard()).toContainEqual({
    pr_open: {
      title: `DEMO-1: ${TITLE}`,
      body: 'Adds `docs/changes/DEMO-1.md`.\n\nCloses DEMO-1',
      draft: false,
    },
  });
  expect(heard()).toContainEqual({ review: { verdict: 'approve', text: expect.stringContaining('DEMO-1') } });
  // The repository ignores docs/changes, but it is still committed.
  expect(stage().git('log', '--reverse', '--name-only', '--format=%s').split('\n').filter(Boolean)).toEqual([
    ...['begin', '.gitignore', 'README.md'],
    ...[`DEMO-1: ${TITLE}`, 'docs/changes/DEMO-1.md'],
    ...['DEMO-1: lessons learned', 'docs/solutions/DEMO-1.md'],
  ]);
  expect(read('docs/changes/DEMO-1.md')).toBe(`# ${TITLE}\n\nThe change for issue DEMO-1.\n`);
  expect(stage().git('status', '--porcelain')).toBe('');
});

test('a scenario that is replayed after a crash does not repeat finished work', async () => {
  await turn('implement');
  const head = stage().git('rev-parse', 'HEAD');
  expect((await turn('implement', 'crash', { resume: true, attempt: '2' })).code).toBe(0);
  expect(stage().git('rev-parse', 'HEAD')).toBe(head);
});

test('the implementer adds a commit each time its work is sent back because of a failure', async () => {
  await turn('implement');
  const reasons = ['ci_failure', 'test_failure', 'review_changes', 'quality_gate'];
  for (const [index, purpose] of reasons.entries()) {
    const attempt = String(index + 2);
    expect((await turn('implement', purpose, { resume: true, attempt })).code).toBe(0);
    expect(read('docs/changes/DEMO-1.md')).toContain(`Revisited (${purpose}, attempt ${attempt}).`);
    expect(stage().git('log', '-1', '--format=%s')).toBe(`DEMO-1: revisit the change (${purpose})`);
    expect(verbs().slice(-2)).toEqual(['push', 'done']);
  }
});

test('the implementer merges the base when its work is sent back because of a conflict', async () => {
  await turn('implement');
  const { git } = stage();
  git('switch', '-q', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@x', 'commit', '-q', '--allow-empty', '-m', 'base moved');
  git('switch', '-q', 'DEMO-1');
  expect((await turn('implement', 'conflict', { resume: true, attempt: '2' })).code).toBe(0);
  expect(git('merge-base', '--is-ancestor', 'main', 'HEAD')).toBe('');
  expect(verbs().slice(-2)).toEqual(['push', 'done']);
});

test('the architect approves a plan that it was started to review', async () => {
  expect((await turn('architect', 'plan_review')).code).toBe(0);
  expect(heard()[0]).toMatchObject({ plan_review: { verdict: 'approve' } });
});

test.each([
  ['node -e "process.exit(0)"', 'pass', 'npm test ended with 0'],
  ['node -e "console.log(\'3 failing\');process.exit(1)"', 'fail', '3 failing'],
  ['echo "Error: no test specified" && exit 1', 'pass', 'The repository has no tests to run.'],
])('for the test script %s, the test phase reports the verdict %s', async (script, result, detail) => {
  writeFileSync(join(stage().workspace, 'package.json'), JSON.stringify({ scripts: { test: script } }));
  expect((await turn('test')).code).toBe(0);
  expect(heard()[0]).toEqual({
    verdict: { result, suites: ['unit'], detail: expect.stringContaining(detail) },
  });
});

test("reports a refused merge as an error with the daemon's message", async () => {
  stage().daemon.refuse('merge', 'merge.refused', 'CI is red at abc');
  const { fault, message } = await turn('merge');
  expect({ fault, message }).toEqual({
    fault: 'merge.refused',
    message: 'the built-in merge scenario.steps[0].merge: CI is red at abc',
  });
  expect(verbs()).toEqual(['merge', 'error']);
});

import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { MERGING, stage } from '../support/legion.ts';
import { HAND_IN, ISSUE, PUSH_AGAIN } from '../support/steps.ts';

const begin = stage();

const STOP_HERE = { mode: 'test', steps: [{ ask: 'Is that enough?' }] };

test('failed tests and objections go back to the implementer with their words, and count anew at the new commit', async () => {
  const life = await begin({
    files: MERGING,
    scenario: [
      {
        mode: 'test',
        round: 1,
        steps: [
          { verdict: { result: 'fail', suites: ['unit'], detail: 'The door is stuck.' } },
          { done: 'it does not pass' },
        ],
      },
      {
        mode: 'review',
        round: 1,
        steps: [{ review: { verdict: 'request-changes', text: 'Name it otherwise.' } }, { done: 'objected' }],
      },
    ],
  });
  const id = await life.add({ status: 'In Progress' });
  await life.untilStatus(id, 'Done');
  const [, afterTests, afterReview] = life.prompts(id, 'implement');
  expect(afterTests).toMatch(
    /The tester did not pass your work, pull request #\d+, tried at commit [0-9a-f]{40}\./,
  );
  expect(afterTests).toContain('The door is stuck.');
  expect(afterReview).toMatch(
    /The reviewer asked for changes to your pull request #\d+, at commit [0-9a-f]{40}\./,
  );
  expect(afterReview).toContain('Name it otherwise.');
  const { workers, pullRequest } = await life.detail(id);
  expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([
    ['implement', 4],
    ['test', 3],
    ['review', 2],
    ['merge', 1],
  ]);
  expect([pullRequest?.state, pullRequest?.review]).toEqual(['merged', 'approved']);
  // Each verdict is of another commit.
  const verdicts = (await life.door.events()).flatMap((event) =>
    event.type === 'evidence.recorded' && event.kind === 'test' ? [event] : [],
  );
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['failed', 'passed', 'passed']);
  expect(new Set(verdicts.map(({ sha }) => sha)).size).toBe(3);
  const { rounds } = await life.door.get<Explanation>(`/issues/${id}/explain`);
  expect(rounds).toMatchObject({ test_failure: 1, review_changes: 1 });
});

test('a red quality gate refuses the report in its session, red CI sends it back; a gate that cannot run pauses', async () => {
  const life = await begin({
    files: {
      '.legion/config.yml': 'commands: { quality_gate: [sh, gate.sh], ci: [sh, ci.sh] }\n',
      'gate.sh':
        '[ -f tool-is-missing ] && exec no-such-program\nif [ -f untidy ]; then echo "untidy: wipe it"; exit 1; fi\n',
      'ci.sh': 'if [ -f red ]; then echo "the lamp is red"; exit 1; fi\n',
    },
    scenario: [
      {
        issue: 'DEMO-1',
        purpose: 'start',
        mode: 'implement',
        steps: [
          { write: { path: 'red', content: 'x\n' } },
          { write: { path: 'untidy', content: 'x\n' } },
          ...HAND_IN,
        ],
      },
      { issue: 'DEMO-1', purpose: 'ci_failure', steps: [{ remove: 'red' }, ...PUSH_AGAIN] },
      {
        issue: 'DEMO-1',
        purpose: 'quality_gate',
        steps: [{ remove: 'untidy' }, { write: { path: 'tidy', content: 'x\n' } }, ...PUSH_AGAIN],
      },
      {
        issue: 'DEMO-2',
        mode: 'implement',
        steps: [{ write: { path: 'tool-is-missing', content: 'x\n' } }, ...HAND_IN],
      },
      STOP_HERE,
    ],
  });
  const [red, stuck] = [await life.add({ status: 'In Progress' }), await life.add({ status: 'In Progress' })];

  const paused = await life.untilLabel(stuck, 'legion-paused');
  expect([paused.status, paused.labels]).toEqual(['In Progress', ['chore', 'legion-paused', 'worker-done']]);
  const [item] = (await life.inbox()).filter(({ issue }) => issue === stuck);
  expect([item?.kind, item?.text]).toEqual([
    'paused',
    expect.stringContaining('Paused because the quality gate could not run: it ended with 127'),
  ]);
  const { comments } = await life.untilComments(stuck, 1);
  expect(comments.map(({ text }) => text.split('\n')[0])).toEqual([
    expect.stringContaining('Paused because the quality gate could not run: it ended with 127'),
  ]);

  await life.untilStatus(red, 'Testing');
  const [, afterCi, ...more] = life.prompts(red, 'implement');
  expect(more).toEqual([]);
  expect(afterCi).toMatch(/CI is red at the head of your pull request #\d+, commit [0-9a-f]{40}\./);
  expect(afterCi).toContain('the lamp is red');
  const events = await life.door.events();
  const refusals = events.flatMap((event) =>
    event.type === 'attempt.report_refused' ? [event.missing] : [],
  );
  expect(refusals).toEqual([expect.stringContaining('untidy: wipe it')]);
  const { rounds } = await life.door.get<Explanation>(`/issues/${red}/explain`);
  expect(rounds).toEqual({ ci_failure: 1 });
  expect(events.filter(({ type }) => type === 'attempt.crashed')).toEqual([]);
  expect((await life.detail(red)).pullRequest?.ci).toBe('passing');
});

test('of two issues that write the same file the second resolves the conflict and lands on top of the first', async () => {
  const life = await begin({
    files: MERGING,
    scenario: [
      {
        mode: 'implement',
        purpose: 'start',
        steps: [{ write: { path: 'shared.txt', content: `by ${ISSUE}\n` } }, ...HAND_IN],
      },
      {
        purpose: 'conflict',
        steps: [{ merge_base: { prefer: 'ours' } }, { push: true }, { done: 'resolved' }],
      },
    ],
  });
  const issues = [await life.add({ status: 'In Progress' }), await life.add({ status: 'In Progress' })];
  for (const id of issues) await life.untilStatus(id, 'Done');
  const landed = (await life.door.events()).filter(({ type }) => type === 'merge.landed');
  const [first, second] = landed.flatMap((event) => ('issue' in event ? [event.issue] : []));
  expect(landed).toHaveLength(2);
  const { repository } = life.legion;
  expect(await git(repository, 'show', 'main:shared.txt')).toBe(`by ${second}`);
  // One commit each, the second on top of the first, and nothing of the first is lost.
  const subjects = (await git(repository, 'log', '--format=%s', 'main')).split('\n');
  expect(subjects.map((line) => /DEMO-\d/.exec(line)?.[0])).toEqual([second, first, undefined]);
  expect(await git(repository, 'ls-tree', '-r', '--name-only', 'main', 'docs/solutions')).toBe(
    [`docs/solutions/${issues[0]}.md`, `docs/solutions/${issues[1]}.md`].join('\n'),
  );
  const [, resolving] = life
    .prompts(second ?? '', 'implement')
    .filter((prompt) => !prompt.includes('retro worker'));
  expect(resolving).toMatch(/Your pull request #\d+ \(head [0-9a-f]{40}\) conflicts with its base main\./);
  const { rounds } = await life.door.get<Explanation>(`/issues/${second}/explain`);
  expect(rounds).toMatchObject({ conflict: 1 });
});

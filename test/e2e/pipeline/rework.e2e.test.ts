import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';
import { ISSUE, PUSH_AGAIN, SUBMIT_WORK } from '../support/steps.ts';

const startDaemon = setUpDaemons();

const STOP_HERE = { mode: 'test', steps: [{ ask: 'Is that enough?' }] };

test('returns failed tests and review objections to the implementer with their text, and tests the new commit again', async () => {
  const daemon = await startDaemon({
    files: AUTO_MERGE_FILES,
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
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilStatus(id, 'Done');
  const [, afterTests, afterReview] = daemon.prompts(id, 'implement');
  expect(afterTests).toMatch(/The tester rejected your pull request #\d+ at commit [0-9a-f]{40}\./);
  expect(afterTests).toContain('The door is stuck.');
  expect(afterReview).toMatch(
    /The reviewer asked for changes to your pull request #\d+, at commit [0-9a-f]{40}\./,
  );
  expect(afterReview).toContain('Name it otherwise.');
  const { workers, pullRequest } = await daemon.detail(id);
  expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([
    ['implement', 4],
    ['test', 3],
    ['review', 2],
    ['merge', 1],
  ]);
  expect([pullRequest?.state, pullRequest?.review]).toEqual(['merged', 'approved']);
  // Each verdict is for a different commit.
  const verdicts = (await daemon.client.events()).flatMap((event) =>
    event.type === 'evidence.recorded' && event.kind === 'test' ? [event] : [],
  );
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['failed', 'passed', 'passed']);
  expect(new Set(verdicts.map(({ sha }) => sha)).size).toBe(3);
  const { rounds } = await daemon.client.get<IssueExplanation>(`/issues/${id}/explain`);
  expect(rounds).toMatchObject({ test_failure: 1, review_changes: 1 });
});

test('if the quality gate fails, the report is refused within the same session; if CI fails, the implementer gets the work back; if the gate cannot run, the issue is paused', async () => {
  const daemon = await startDaemon({
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
          ...SUBMIT_WORK,
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
        steps: [{ write: { path: 'tool-is-missing', content: 'x\n' } }, ...SUBMIT_WORK],
      },
      STOP_HERE,
    ],
  });
  const [red, stuck] = [
    await daemon.add({ status: 'In Progress' }),
    await daemon.add({ status: 'In Progress' }),
  ];

  const paused = await daemon.untilLabel(stuck, 'legion-paused');
  expect([paused.status, paused.labels]).toEqual(['In Progress', ['chore', 'legion-paused', 'worker-done']]);
  const [item] = (await daemon.inbox()).filter(({ issue }) => issue === stuck);
  expect([item?.kind, item?.text]).toEqual([
    'paused',
    expect.stringContaining('Paused because the quality gate could not run: it ended with 127'),
  ]);
  const { comments } = await daemon.untilComments(stuck, 1);
  expect(comments.map(({ text }) => text.split('\n')[0])).toEqual([
    expect.stringContaining('Paused because the quality gate could not run: it ended with 127'),
  ]);

  await daemon.untilStatus(red, 'Testing');
  const [, afterCi, ...more] = daemon.prompts(red, 'implement');
  expect(more).toEqual([]);
  expect(afterCi).toMatch(/CI is red at the head of your pull request #\d+, commit [0-9a-f]{40}\./);
  expect(afterCi).toContain('the lamp is red');
  const events = await daemon.client.events();
  const refusals = events.flatMap((event) =>
    event.type === 'attempt.report_refused' ? [event.missing] : [],
  );
  expect(refusals).toEqual([expect.stringContaining('untidy: wipe it')]);
  const { rounds } = await daemon.client.get<IssueExplanation>(`/issues/${red}/explain`);
  expect(rounds).toEqual({ ci_failure: 1 });
  expect(events.filter(({ type }) => type === 'attempt.crashed')).toEqual([]);
  expect((await daemon.detail(red)).pullRequest?.ci).toBe('passing');
});

test('if two issues change the same file, the conflict is resolved in the second issue, which is merged on top of the first', async () => {
  const daemon = await startDaemon({
    files: AUTO_MERGE_FILES,
    scenario: [
      {
        mode: 'implement',
        purpose: 'start',
        steps: [{ write: { path: 'shared.txt', content: `by ${ISSUE}\n` } }, ...SUBMIT_WORK],
      },
      {
        purpose: 'conflict',
        steps: [{ merge_base: { prefer: 'ours' } }, { push: true }, { done: 'resolved' }],
      },
    ],
  });
  const issues = [await daemon.add({ status: 'In Progress' }), await daemon.add({ status: 'In Progress' })];
  for (const id of issues) await daemon.untilStatus(id, 'Done');
  const landed = (await daemon.client.events()).filter(({ type }) => type === 'merge.landed');
  const [first, second] = landed.flatMap((event) => ('issue' in event ? [event.issue] : []));
  expect(landed).toHaveLength(2);
  const { repository } = daemon.legion;
  expect(await git(repository, 'show', 'main:shared.txt')).toBe(`by ${second}`);
  // There is one commit per issue, the second on top of the first, and nothing of the first is
  // lost.
  const subjects = (await git(repository, 'log', '--format=%s', 'main')).split('\n');
  expect(subjects.map((line) => /DEMO-\d/.exec(line)?.[0])).toEqual([second, first, undefined]);
  expect(await git(repository, 'ls-tree', '-r', '--name-only', 'main', 'docs/solutions')).toBe(
    [`docs/solutions/${issues[0]}.md`, `docs/solutions/${issues[1]}.md`].join('\n'),
  );
  const [, resolving] = daemon
    .prompts(second ?? '', 'implement')
    .filter((prompt) => !prompt.includes('retro worker'));
  expect(resolving).toMatch(/Your pull request #\d+ \(head [0-9a-f]{40}\) conflicts with its base main\./);
  const { rounds } = await daemon.client.get<IssueExplanation>(`/issues/${second}/explain`);
  expect(rounds).toMatchObject({ conflict: 1 });
});

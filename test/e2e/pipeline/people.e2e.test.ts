import { expect, test } from 'vitest';
import { MERGING, stage } from '../support/legion.ts';

const begin = stage();

interface Refused {
  readonly error: { readonly code: string };
}

test('a person approves the architecture, answers who asked, and approves the merge; out of turn is refused', async () => {
  const life = await begin({
    yaml: 'approvals: { architect: required, merge: required }\n',
    files: MERGING,
    scenario: [
      {
        mode: 'plan',
        purpose: 'start',
        steps: [
          { ask: 'Red or blue?' },
          { handoff: { summary: 'in the colour they chose' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  const { door } = life;
  const id = await life.add({ status: 'Backlog' });
  const refusal = async (path: string, body: object = {}) => {
    const answer = await door.request<Refused>('POST', `/issues/${id}/${path}`, body);
    return [answer.status, answer.body.error?.code];
  };
  expect(await refusal('approve')).toEqual([409, 'approval.not_due']);
  expect(await refusal('answer', { text: 'blue' })).toEqual([409, 'question.none_open']);
  expect(await refusal('resume')).toEqual([409, 'resume.not_paused']);

  await life.untilLabel(id, 'needs-approval');
  expect((await life.issue(id)).status).toBe('Backlog');
  expect((await life.inbox()).map(({ kind, issue, next }) => [kind, issue, next])).toEqual([
    ['approval', id, `legion approve ${id}`],
  ]);
  await door.post(`/issues/${id}/approve`, { by: 'Ada' });

  const asking = await life.untilLabel(id, 'user-input-needed');
  expect([asking.status, asking.labels]).toEqual(['Todo', ['chore', 'user-input-needed', 'worker-active']]);
  const [question] = await life.inbox();
  expect([question?.kind, question?.issue, question?.text]).toEqual([
    'question',
    id,
    'plan asks: Red or blue?',
  ]);
  expect(await refusal('approve')).toEqual([409, 'approval.not_due']);
  expect(await refusal('answer', { text: 'blue', question: 7 })).toEqual([409, 'question.none_open']);
  await door.post(`/issues/${id}/answer`, { text: 'Blue, like the sea.', by: 'Ada' });
  expect(await refusal('answer', { text: 'red' })).toEqual([409, 'question.none_open']);

  const ready = await life.untilLabel(id, 'needs-approval');
  expect(ready.status).toBe('Retro');
  const [, relayed] = life.prompts(id, 'plan');
  expect(relayed).toContain('A person has answered your question.');
  expect(relayed).toContain('You asked: Red or blue?');
  expect(relayed).toContain('Ada: Blue, like the sea.');
  expect(await refusal('answer', { text: 'blue' })).toEqual([409, 'question.none_open']);
  expect((await life.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['approval', id]]);
  const before = await life.detail(id);
  expect(before.pullRequest?.state).toBe('open');
  await door.post(`/issues/${id}/approve`, { by: 'Grace' });

  await life.untilStatus(id, 'Done');
  const { issue, comments, workers, pullRequest } = await life.detail(id);
  expect(issue.labels).toEqual(['chore']);
  expect(pullRequest?.state).toBe('merged');
  expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([
    ['architect', 1],
    ['plan', 2],
    ['implement', 2],
    ['test', 1],
    ['review', 1],
    ['merge', 1],
  ]);
  const said = comments.map(({ author, text }) => `${author}: ${text.split('\n')[0]}`);
  expect(said.filter((line) => line.startsWith('Ada') || line.startsWith('Grace'))).toEqual([
    'Ada: Approved by Ada.',
    'Ada: Blue, like the sea.',
    'Grace: Approved by Grace.',
  ]);
  expect(await refusal('approve')).toEqual([409, 'approval.not_due']);
  expect(await life.inbox()).toEqual([]);
});

test('an answer given on the board, as a comment and a label, reaches the worker that asked', async () => {
  const life = await begin({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    scenario: [{ purpose: 'start', steps: [{ ask: 'Red or blue?' }] }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilLabel(id, 'user-input-needed');
  await life.door.post(`/issues/${id}/comments`, { text: 'Green, please.', author: 'Ada' });
  await life.door.post(`/issues/${id}/labels`, { add: ['user-feedback-given'] });
  const { labels } = await life.untilStatus(id, 'In Progress');
  expect(labels).toEqual(['chore']);
  const [, relayed] = life.prompts(id, 'plan');
  expect(relayed).toContain('Green, please.');
});

import { expect, test } from 'vitest';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

interface Refused {
  readonly error: { readonly code: string };
}

test('a person approves the architecture, answers a question and approves the merge, and premature requests are refused', async () => {
  const daemon = await startDaemon({
    yaml: 'approvals: { architect: required, merge: required }\n',
    files: AUTO_MERGE_FILES,
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
  const { client } = daemon;
  const id = await daemon.add({ status: 'Backlog' });
  const refusal = async (path: string, body: object = {}) => {
    const answer = await client.request<Refused>('POST', `/issues/${id}/${path}`, body);
    return [answer.status, answer.body.error?.code];
  };
  expect(await refusal('approve')).toEqual([409, 'approval.not_due']);
  expect(await refusal('answer', { text: 'blue' })).toEqual([409, 'question.none_open']);
  expect(await refusal('resume')).toEqual([409, 'resume.not_paused']);

  await daemon.untilLabel(id, 'needs-approval');
  expect((await daemon.issue(id)).status).toBe('Backlog');
  expect((await daemon.inbox()).map(({ kind, issue, next }) => [kind, issue, next])).toEqual([
    ['approval', id, `legion approve ${id}`],
  ]);
  await client.post(`/issues/${id}/approve`, { by: 'Ada' });

  const asking = await daemon.untilLabel(id, 'user-input-needed');
  expect([asking.status, asking.labels]).toEqual(['Todo', ['chore', 'user-input-needed', 'worker-active']]);
  const [question] = await daemon.inbox();
  expect([question?.kind, question?.issue, question?.text]).toEqual([
    'question',
    id,
    'plan asks: Red or blue?',
  ]);
  expect(await refusal('approve')).toEqual([409, 'approval.not_due']);
  expect(await refusal('answer', { text: 'blue', question: 7 })).toEqual([409, 'question.none_open']);
  await client.post(`/issues/${id}/answer`, { text: 'Blue, like the sea.', by: 'Ada' });
  expect(await refusal('answer', { text: 'red' })).toEqual([409, 'question.none_open']);

  const ready = await daemon.untilLabel(id, 'needs-approval');
  expect(ready.status).toBe('Retro');
  const [, relayed] = daemon.prompts(id, 'plan');
  expect(relayed).toContain('A person has answered your question.');
  expect(relayed).toContain('You asked: Red or blue?');
  expect(relayed).toContain('Ada: Blue, like the sea.');
  expect(await refusal('answer', { text: 'blue' })).toEqual([409, 'question.none_open']);
  expect((await daemon.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['approval', id]]);
  const before = await daemon.detail(id);
  expect(before.pullRequest?.state).toBe('open');
  await client.post(`/issues/${id}/approve`, { by: 'Grace' });

  await daemon.untilStatus(id, 'Done');
  const { issue, comments, workers, pullRequest } = await daemon.detail(id);
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
  expect(await daemon.inbox()).toEqual([]);
});

test('an answer on the board, as a comment and a label, reaches the worker that asked', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    scenario: [{ purpose: 'start', steps: [{ ask: 'Red or blue?' }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilLabel(id, 'user-input-needed');
  await daemon.client.post(`/issues/${id}/comments`, { text: 'Green, please.', author: 'Ada' });
  await daemon.client.post(`/issues/${id}/labels`, { add: ['user-feedback-given'] });
  const { labels } = await daemon.untilStatus(id, 'In Progress');
  expect(labels).toEqual(['chore']);
  const [, relayed] = daemon.prompts(id, 'plan');
  expect(relayed).toContain('Green, please.');
});

/** Tests that each step is a single request that contains only the differences. */
import { expect, test } from 'vitest';
import { LABELS } from '../../../../src/core/model/label.ts';
import { STATUSES } from '../../../../src/core/model/status.ts';
import { labels, look, SIGNAL, statusOf } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { LEGION, REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const ID = 'acme-app-1';
const stage = useSimulated();

async function opened(status = 'In Progress') {
  const { board, github, tracker } = stage();
  const project = board();
  github.people.issue(REPO, {
    author: WRITER,
    title: 'One',
    labels: ['Worker-Active', 'bug'],
    project,
    status,
  });
  const legion = await tracker([project]);
  await legion.list(SIGNAL);
  stage().asked();
  return { legion, project };
}

test('sends labels and a move as one write, and omits changes that are already in place', async () => {
  const { legion } = await opened();
  const change = { moveTo: 'Testing', labels: { add: ['worker-done'], remove: ['worker-active'] } } as const;
  await legion.write(ID, change);
  expect(stage().asked()).toEqual(['ReadIssue', 'LabelsNamed', 'MakeLabels', 'LabelsNamed', 'LegionWrites']);
  expect(stage().github.snapshot().issues[0]?.labels).toEqual(['bug', 'worker-done']);
  await legion.write(ID, change);
  expect(stage().asked()).toEqual(['ReadIssue']);
  await legion.write(ID, labels(['worker-active'], ['worker-done']));
  // An issue's label is found in the repository regardless of case, so no labels are requested.
  expect(stage().asked()).toEqual(['ReadIssue', 'LegionWrites']);
  expect(await look(legion, ID)).toMatchObject({ labels: ['bug', 'worker-active'] });
});

test('creates a missing label once, however many concurrent writes need it', async () => {
  const { legion } = await opened();
  await Promise.all(LABELS.map((label) => legion.write(ID, labels([label]))));
  expect((await look(legion, ID)).labels.toSorted()).toEqual(['bug', ...LABELS].sort());
});

test('writes nothing if a column is missing, not even a label in the repository', async () => {
  const { github, board, tracker } = stage();
  const project = board({ statuses: ['Todo'] });
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  const legion = await tracker([project]);
  const call = legion.write(ID, { moveTo: 'Retro', ...labels(['worker-done']) });
  const fault = await refusal(call);
  expect([fault.code, fault.message]).toEqual([
    'tracker.column_missing',
    expect.stringContaining('Columns: Todo'),
  ]);
  expect(await refusal(legion.create('key', { ...NEW, status: 'Retro' }))).toMatchObject({
    code: 'tracker.column_missing',
  });
  expect(
    stage()
      .asked()
      .filter((name) => /Legion|Make|Put/.test(name)),
  ).toEqual([]);
});

test('lists the statuses that have no column, once the board has been read', async () => {
  const { board, tracker } = stage();
  const project = board({ statuses: STATUSES.filter((status) => status !== 'Retro' && status !== 'Icebox') });
  const legion = await tracker([project]);
  expect(legion.missingColumns?.()).toEqual([]);
  await legion.list(SIGNAL);
  expect(legion.missingColumns?.()).toEqual(['Icebox', 'Retro']);
});

const NEW = { title: 'New', body: '', labels: [], priority: 0, blockedBy: [] } as const;

test('closes an issue as completed when Legion moves it to Done', async () => {
  const { legion } = await opened();
  await legion.write(ID, { moveTo: 'Done', ...labels([]) });
  expect(stage().github.snapshot().issues[0]?.state).toBe('CLOSED');
  expect(await statusOf(legion, ID)).toBe('Done');
  await legion.write(ID, { moveTo: 'Done', ...labels([]) });
  expect(
    stage()
      .asked()
      .filter((name) => name === 'LegionWrites'),
  ).toHaveLength(1);
});

test('does not reopen an issue that a person closed, even if Legion moves it out of the Done column', async () => {
  const { legion, project } = await opened('Done');
  stage().github.people.closeIssue(WRITER, REPO, 1);
  await legion.write(ID, { moveTo: 'Testing', ...labels([]) });
  expect(stage().github.snapshot().issues[0]).toMatchObject({
    state: 'CLOSED',
    statuses: { [project]: 'Testing' },
  });
  expect(await statusOf(legion, ID)).toBe('terminal');
});

test('closes an issue once, even if closing is repeated', async () => {
  const { legion } = await opened();
  await legion.close(ID);
  expect(stage().github.snapshot().issues[0]?.state).toBe('CLOSED');
  await legion.close(ID);
  expect(
    stage()
      .asked()
      .filter((name) => name === 'LegionCloses'),
  ).toHaveLength(1);
});

test('rejects a list with the GitHub fault if a request fails, and the next list succeeds', async () => {
  const { legion } = await opened();
  const { faults } = stage().github;
  const list = () => legion.list(SIGNAL);
  for (const matching of ['BoardDigest', 'IssuesInFull'])
    for (const answer of [{ status: 502 }, { reset: true }, { partial: true }] as const) {
      // After a partial response, the digest is requested a second time within the same pass.
      faults.next({ matching, answer, times: matching === 'BoardDigest' && 'partial' in answer ? 2 : 1 });
      stage().github.people.label(WRITER, REPO, 1, { add: [`${matching} ${Object.keys(answer)}`] });
      await expect(list()).rejects.toMatchObject({ code: 'github.unavailable', retryable: true });
      expect(await list()).toHaveLength(1);
    }
  faults.next({ answer: { rateLimit: 'primary', retryAfterSeconds: 60 } });
  const limited = await legion.list(SIGNAL).catch((error: unknown) => error);
  expect(limited).toMatchObject({ code: 'github.rate_limited', retryable: true });
  expect((limited as { retryAt: number }).retryAt).toBeGreaterThan(stage().clock.now());
});

test('rejects a token without write permission and changes nothing', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  github.people.grant(REPO, LEGION, 'READ');
  const legion = await tracker([project]);
  expect(await refusal(legion.write(ID, labels(['worker-done'])))).toMatchObject({
    code: 'github.forbidden',
  });
});

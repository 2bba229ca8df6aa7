/** Tests that lost responses cause no duplicate and no partial writes. */
import { expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import type { GithubTracker } from '../../../../src/integrations/github/tracker/open-github-tracker.ts';
import { SEED } from '../../../ports/host/random.ts';
import { labels, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** Share of writes whose response is lost. Each write may need several attempts. */
const LOST = 0.4;
const TIMES_MAX = 60;

const PARTS_OF_THE_FIRST = `query Parts {
  repository(owner: "acme", name: "app") { issue(number: 1) { subIssues(first: 10) { nodes { number } } } }
}`;

const stage = useSimulated();

test('completes a step, a comment, a split and a close when many responses are lost and every call is retried', async () => {
  const { github, board, tracker, pass } = stage();
  const project = board();
  process.stdout.write(`lost answers: LEGION_SEED=${SEED}\n`);
  github.people.issue(REPO, { author: WRITER, title: 'Parent', project, status: 'Backlog' });
  github.faults.loseWrites(LOST, SEED);
  // Each attempt uses a new tracker without memory, like a restarted daemon.
  const until = async <T>(call: (legion: GithubTracker) => Promise<T>): Promise<T> => {
    for (let time = 1; time <= TIMES_MAX; time += 1) {
      pass();
      try {
        return await call(await tracker([project]));
      } catch (error) {
        if (!(error instanceof LegionError && error.retryable)) throw error;
      }
    }
    throw new Error('never succeeded');
  };
  const [parent] = (await until((legion) => legion.list(SIGNAL))).map(({ id }) => id);
  const parts: string[] = [];
  for (const key of ['a', 'b', 'c', 'd']) {
    const wanted = {
      parent: String(parent),
      status: 'Backlog',
      priority: 2,
      labels: ['bug'],
      blockedBy: parts.slice(-1),
    } as const;
    parts.push(await until((legion) => put(legion, key, wanted)));
  }
  for (const id of parts) {
    await until((legion) => legion.comment(id, 'hello', `Hello ${id}.`));
    await until((legion) => legion.write(id, { moveTo: 'Todo', ...labels(['worker-active']) }));
  }
  await until((legion) => legion.close(String(parts[3])));
  github.faults.loseWrites(0, 0);

  const legion = await tracker([project]);
  const issues = await legion.list(SIGNAL);
  expect(
    issues.map(({ id, column, labels: on, priority, openBlockers, parent: above }) => ({
      id,
      column,
      on,
      priority,
      openBlockers,
      above,
    })),
  ).toEqual([
    { id: parent, column: 'Backlog', on: [], priority: 0, openBlockers: [], above: undefined },
    ...parts.map((id, index) => ({
      id,
      column: index === 3 ? 'Closed' : 'Todo',
      on: ['bug', 'worker-active'],
      priority: 2,
      openBlockers: index === 0 || index === 3 ? [] : [parts[index - 1]],
      above: parent,
    })),
  ]);
  const { issues: all } = github.snapshot();
  expect(all).toHaveLength(5);
  for (const { comments } of all.slice(1)) expect(comments).toHaveLength(1);
});

test('edits a comment in place when many responses are lost and every call is retried', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  process.stdout.write(`lost answers: LEGION_SEED=${SEED}\n`);
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  github.faults.loseWrites(LOST, SEED);
  for (let round = 1; round <= 5; round += 1)
    await expect
      .poll(async () => (await tracker([project])).putComment('acme-app-1', 'plan', `Plan ${round}.`), {
        interval: 1,
        timeout: 20_000,
      })
      .toBeUndefined();
  expect(github.snapshot().issues[0]?.comments.map(({ body }) => body)).toEqual([
    'Plan 5.\n\n<!-- legion:plan -->',
  ]);
});

test('sends no request if the comment text is unchanged; otherwise sends one lookup and one edit', async () => {
  const { github, board, tracker, asked } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  const legion = await tracker([project]);
  await legion.putComment('acme-app-1', 'plan', 'Plan 1.');
  asked();
  await legion.putComment('acme-app-1', 'plan', 'Plan 1.');
  expect(asked()).toEqual([]);
  await legion.putComment('acme-app-1', 'plan', 'Plan 2.');
  expect(asked()).toEqual(['CommentsPage', 'LegionEditsComment']);
});

test('completes an issue that was created but not yet put on the board', async () => {
  const { github, board, tracker, asked } = stage();
  const project = board();
  for (const matching of ['LegionCreates', 'PutOnBoard', 'ChooseColumn']) {
    for (const executed of [true, false]) {
      const key = `${matching} ${executed}`;
      github.faults.next({ matching, executed, answer: { status: 502 } });
      await expect(put(await tracker([project]), key)).rejects.toMatchObject({ retryable: true });
      const id = await put(await tracker([project]), key, { status: 'Todo' });
      const again = await tracker([project]);
      expect(await put(again, key, { status: 'Done' })).toBe(id);
      const listed = (await again.list(SIGNAL)).filter((issue) => issue.id === id);
      // An issue that already had a column keeps it.
      const column = matching === 'ChooseColumn' && executed ? 'Triage' : 'Todo';
      expect(listed.map((issue) => issue.column)).toEqual([column]);
    }
  }
  expect(github.snapshot().issues).toHaveLength(6);
  expect(asked()).not.toContain('TakeBack');
});

test('of several issues created concurrently for the same key, keeps the first and closes the others', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  const daemons = await Promise.all(Array.from({ length: 4 }, () => tracker([project])));
  for (const daemon of daemons) await daemon.list(SIGNAL);
  const ids = await Promise.all(daemons.map((daemon) => put(daemon, 'key')));
  expect(new Set(ids).size).toBe(1);
  const { issues } = github.snapshot();
  const open = issues.filter(({ state }) => state === 'OPEN');
  expect(open.map(({ number }) => `acme-app-${number}`)).toEqual([ids[0]]);
  for (const { state, statuses } of issues)
    expect(Object.values(statuses)).toEqual(state === 'OPEN' ? ['Triage'] : []);
  await Promise.all(daemons.map((daemon) => daemon.comment(String(ids[0]), 'key', 'Once.')));
  expect(github.snapshot().issues.find(({ state }) => state === 'OPEN')?.comments).toHaveLength(1);
});

test('of several sub-issues created concurrently for the same key, keeps one below the parent', async () => {
  const { github, board, tracker, client } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'Parent', project, status: 'Backlog' });
  const daemons = await Promise.all(Array.from({ length: 4 }, () => tracker([project])));
  for (const daemon of daemons) await daemon.list(SIGNAL);
  const parent = 'acme-app-1';
  const ids = await Promise.all(daemons.map((daemon) => put(daemon, 'key', { parent, status: 'Backlog' })));
  expect(new Set(ids)).toEqual(new Set(['acme-app-2']));
  const listed = await (await tracker([project])).list(SIGNAL);
  expect(listed.map(({ id, parent: above }) => [id, above])).toEqual([
    [parent, undefined],
    ['acme-app-2', parent],
  ]);
  const below = await client().query(PARTS_OF_THE_FIRST, {}, { signal: SIGNAL });
  expect(below).toEqual({ repository: { issue: { subIssues: { nodes: [{ number: 2 }] } } } });
});

test('of several comments with the same key that a killed daemon left behind, keeps the first', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  for (let time = 1; time <= 3; time += 1)
    github.people.comment('legion', REPO, 1, `Time ${time}.\n\n<!-- legion:key -->`);
  await (await tracker([project])).comment('acme-app-1', 'key', 'Time 4.');
  expect(github.snapshot().issues[0]?.comments.map(({ body }) => body)).toEqual([
    'Time 1.\n\n<!-- legion:key -->',
  ]);
});

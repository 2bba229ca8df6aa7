/** Tests that lost responses cause no duplicate and no partial writes. */
import { expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import type { LinearTracker } from '../../../../src/integrations/linear/tracker/open-linear-tracker.ts';
import { SEED } from '../../../ports/host/random.ts';
import { labels, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { type Simulated, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** Share of writes whose response is lost. Each write may need several attempts. */
const LOST = 0.4;
const TIMES_MAX = 60;
const ROUNDS = ['round 1', 'round 2', 'round 3'];
/** Number of simulation runs, each with different lost responses. */
const STORIES = 5;

const stage = useSimulated();

/**
 * Retries the call until it succeeds, each time with a new tracker without memory, like a restarted
 * daemon.
 */
async function until<T>(team: string, call: (legion: LinearTracker) => Promise<T>): Promise<T> {
  for (let time = 1; time <= TIMES_MAX; time += 1) {
    stage().pass();
    try {
      return await call(await stage().tracker(team));
    } catch (error) {
      if (!(error instanceof LegionError && error.retryable)) throw error;
    }
  }
  throw new Error('never succeeded');
}

test.each(Array.from({ length: STORIES }, (_, index) => SEED + index))(
  'completes a step, a comment, a link, a split and a close when many responses are lost (seed %i)',
  async (seed) => {
    const { linear, team, tracker } = stage();
    const eng = team('ENG');
    process.stdout.write(`lost answers: LEGION_SEED=${seed}\n`);
    linear.people.issue('ENG', { creator: WRITER, title: 'Parent', state: 'Backlog' });
    linear.faults.loseWrites(LOST, seed);
    const parts: string[] = [];
    for (const key of ['a', 'b', 'c', 'd']) {
      const blockedBy = parts.slice(-2);
      const wanted = { parent: 'ENG-1', status: 'Backlog', priority: 2, labels: ['bug'], blockedBy } as const;
      parts.push(await until(eng, (legion) => put(legion, key, wanted)));
    }
    for (const id of parts) {
      await until(eng, (legion) => legion.comment(id, 'hello', `Hello ${id}.`));
      for (const round of ROUNDS)
        await until(eng, (legion) => legion.putComment(id, 'plan', `Plan, ${round}.`));
      await until(eng, (legion) => legion.write(id, { moveTo: 'Todo', ...labels(['worker-active']) }));
      await until(eng, (legion) => legion.attach(id, { url: `https://a.example/${id}`, title: 'A' }));
    }
    await until(eng, (legion) => legion.close(String(parts[3])));
    await until(eng, (legion) => legion.move(String(parts[0]), 'Done'));
    linear.faults.loseWrites(0, 0);

    const issues = await (await tracker(eng)).list(SIGNAL);
    const expected = parts.map((id, index) => ({
      id,
      column: ['Done', 'Todo', 'Todo', 'Canceled'][index],
      labels: ['bug', 'worker-active'],
      priority: 2,
      openBlockers: [[], [], [parts[1]], []][index],
      parent: 'ENG-1',
      links: [`https://a.example/${id}`],
    }));
    expect(issues).toMatchObject([
      { id: 'ENG-1', column: 'Backlog', labels: [], openBlockers: [] },
      ...expected,
    ]);
    expect(issues).toHaveLength(5);
    expectNothingTwice(linear.snapshot());
  },
);

test('finds a new issue by its id if Linear omits it from the response', async () => {
  const { linear, team, tracker } = stage();
  const legion = await tracker(team('ENG'));
  linear.faults.next({ matching: 'LegionCreates', answer: { nulled: 'issueCreate.issue' } });
  expect(await put(legion, 'a', { status: 'Todo' })).toBe('ENG-1');
  expect(await put(legion, 'a', { status: 'Todo' })).toBe('ENG-1');
  expect(linear.snapshot().issues).toHaveLength(1);
});

/** Checks the condition that must be true after every simulation run: nothing exists twice. */
function expectNothingTwice({ issues, labels: all }: ReturnType<Simulated['linear']['snapshot']>): void {
  expect(issues).toHaveLength(5);
  for (const { identifier, comments, attachments, labels: on, blockedBy } of issues) {
    const texts = identifier === 'ENG-1' ? [] : [`Hello ${identifier}.`, 'Plan, round 3.'];
    expect(
      comments.map(({ body }) => body),
      identifier,
    ).toEqual(texts);
    for (const list of [attachments, on, blockedBy]) expect(new Set(list).size, identifier).toBe(list.length);
  }
  const names = all.map(({ name, team }) => `${team} ${name.toLowerCase()}`);
  expect(new Set(names).size).toBe(names.length);
}

const CALLS: Readonly<Record<string, (legion: LinearTracker) => Promise<unknown>>> = {
  LegionWrites: (legion) => legion.write('ENG-1', { moveTo: 'Testing', ...labels(['worker-done']) }),
  LegionMoves: (legion) => legion.move('ENG-1', 'Testing'),
  LegionCloses: (legion) => legion.close('ENG-1'),
  LegionComments: (legion) => legion.comment('ENG-1', 'key', 'Once.'),
  LegionAttaches: (legion) => legion.attach('ENG-1', { url: 'https://a.example/1', title: 'A' }),
  LegionCreates: (legion) => put(legion, 'key', { blockedBy: ['ENG-1', 'ENG-2'], labels: ['bug'] }),
};

const ANSWERS = [{ reset: true }, { status: 502 }, { partial: true }] as const;

test.each(Object.entries(CALLS).flatMap(([name, call]) => ANSWERS.map((answer) => ({ name, call, answer }))))(
  'if the response to $name is lost ($answer), a retry finds the result and does not send $name again',
  async (story) => {
    const { name, call, answer } = story;
    const { linear, team, tracker, asked } = stage();
    const eng = team('ENG');
    for (const title of ['One', 'Two'])
      linear.people.issue('ENG', { creator: WRITER, title, state: 'Todo', labels: ['bug', 'worker-done'] });
    linear.people.setLabels(WRITER, 'ENG-1', { remove: ['worker-done'] });
    linear.faults.next({ matching: name, executed: true, answer });
    await expect(call(await tracker(eng))).rejects.toMatchObject({
      code: 'linear.unavailable',
      retryable: true,
    });
    const after = linear.snapshot();
    asked();
    await call(await tracker(eng));
    expect(linear.snapshot()).toEqual(after);
    expect(asked()).not.toContain(name);
  },
);

test('adds the missing blockers of an existing issue', async () => {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  for (const title of ['One', 'Two']) linear.people.issue('ENG', { creator: WRITER, title, state: 'Todo' });
  const legion = await tracker(eng);
  const id = await put(legion, 'key', { status: 'Todo' });
  // Simulates a request that was interrupted between its two mutations.
  const again = await put(await tracker(eng), 'key', { status: 'Done', blockedBy: ['ENG-1', 'ENG-2'] });
  expect(again).toBe(id);
  expect(await legion.read(id, SIGNAL)).toMatchObject({ column: 'Todo', openBlockers: ['ENG-1', 'ENG-2'] });
});

test('does not create an issue a second time after a person has trashed it', async () => {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  const id = await put(await tracker(eng), 'key');
  linear.people.trash(WRITER, id);
  expect(await put(await tracker(eng), 'key')).toBe(id);
  expect(linear.snapshot().issues).toHaveLength(1);
});

/** Whatever is lost on the way, nothing is written twice and nothing is left half. */
import { expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import type { LinearTracker } from '../../../../src/trackers/linear/open-linear-tracker.ts';
import { SEED } from '../../../ports/host/random.ts';
import { labels, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { type Simulated, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** Of all writes; each of them may take a few times then. */
const LOST = 0.4;
const TIMES_MAX = 60;
/** Stories, each with losses of its own. */
const STORIES = 5;

const stage = useSimulated();

/** Made until it succeeds, each time by a daemon that was started anew and remembers nothing. */
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
  'a step, a comment, a link, a split and an end, with many answers lost by the seed %i',
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

test('a new issue that Linear leaves out of its answer is found by its id', async () => {
  const { linear, team, tracker } = stage();
  const legion = await tracker(team('ENG'));
  linear.faults.next({ matching: 'LegionCreates', answer: { nulled: 'issueCreate.issue' } });
  expect(await put(legion, 'a', { status: 'Todo' })).toBe('ENG-1');
  expect(await put(legion, 'a', { status: 'Todo' })).toBe('ENG-1');
  expect(linear.snapshot().issues).toHaveLength(1);
});

/** The property that every story has to keep. */
function expectNothingTwice({ issues, labels: all }: ReturnType<Simulated['linear']['snapshot']>): void {
  expect(issues).toHaveLength(5);
  for (const { identifier, comments, attachments, labels: on, blockedBy } of issues) {
    expect(comments, identifier).toHaveLength(identifier === 'ENG-1' ? 0 : 1);
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
  '$name, answered by $answer, is sent once: whoever asks again finds what was done',
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

test('an issue whose blockers were not made with it gets them from whoever finds it', async () => {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  for (const title of ['One', 'Two']) linear.people.issue('ENG', { creator: WRITER, title, state: 'Todo' });
  const legion = await tracker(eng);
  const id = await put(legion, 'key', { status: 'Todo' });
  // As a request that was broken off between its two mutations leaves it.
  const again = await put(await tracker(eng), 'key', { status: 'Done', blockedBy: ['ENG-1', 'ENG-2'] });
  expect(again).toBe(id);
  expect(await legion.read(id, SIGNAL)).toMatchObject({ column: 'Todo', openBlockers: ['ENG-1', 'ENG-2'] });
});

test('an issue that Legion has made and a person has put into the trash is not made again', async () => {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  const id = await put(await tracker(eng), 'key');
  linear.people.trash(WRITER, id);
  expect(await put(await tracker(eng), 'key')).toBe(id);
  expect(linear.snapshot().issues).toHaveLength(1);
});

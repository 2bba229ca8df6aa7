import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const HEALTH = `limits: { per_mode: { implement: 0 } }
health: { grace: 0s, stop_grace: 1s, second_look: 0.1s, after_step: 1s }
`;

/** A turn with a pause after it, as between real turns. */
const TURN = [{ say: 'again' }, { turn: true }, { think: '200ms' }];

const PLANNED = [{ handoff: 'planned' }, { done: 'planned' }];

const types = (events: readonly Event[]) => events.map(({ type }) => type);

test('a worker that uses up its budget is warned, asked to stop and stopped; a person is notified once, and `resume` lets the worker continue', async () => {
  const daemon = await startDaemon({
    yaml: `${HEALTH}budgets: { worker: { tokens: 1000 } }\n`,
    scenario: [
      {
        attempt: 1,
        steps: [
          { usage: { in: 800, out: 50, usd: 0.1 } },
          { think: '2s' },
          { usage: { in: 800, out: 50, usd: 0.1 } },
          { turn: true },
          { think: '1m' },
        ],
      },
      { attempt: '>1', steps: PLANNED },
    ],
  });
  const { client } = daemon;
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilEvents('warned', (events) => types(events).includes('attempt.warned'));
  await daemon.untilLabel(id, 'legion-paused');
  const told = (await client.events()).filter(({ type }) =>
    [
      'attempt.warned',
      'attempt.asked_to_stop',
      'attempt.stopped',
      'attempt.crashed',
      'kill.performed',
    ].includes(type),
  );
  expect(types(told)).toEqual(['attempt.warned', 'attempt.asked_to_stop', 'attempt.stopped']);
  expect(told.at(-1)).toMatchObject({
    why: 'A budget is used up: 1,700 tokens of 1,000 tokens used by this worker.',
  });
  const { comments } = await daemon.untilComments(id, 1);
  expect(comments.map(({ text }) => text.split('\n')[0])).toEqual([
    'Paused because a budget is used up: 1,700 tokens of 1,000 tokens used by this worker.',
  ]);
  const [item] = await daemon.inbox();
  expect(item).toMatchObject({ kind: 'paused', issue: id, next: `legion resume ${id}` });
  expect(item?.text).toContain('1,700 tokens of 1,000 tokens');

  await client.post(`/issues/${id}/resume`, { by: 'Ada' });
  await daemon.untilStatus(id, 'In Progress');
  const { workers } = await client.get<IssueExplanation>(`/issues/${id}/explain`);
  const [planner] = workers.filter(({ mode }) => mode === 'plan');
  expect(planner).toMatchObject({ attempt: 2, status: 'finished', crashes: 0 });
  expect(planner?.spending).toMatchObject({ tokens: 1_700, usd: 0.2, next: 'nothing' });
});

test("returns a budget warning with the response to the worker's next call", async () => {
  const daemon = await startDaemon({
    yaml: `${HEALTH}budgets: { worker: { usd: 1 } }\n`,
    scenario: [
      {
        steps: [
          { usage: { in: 1, out: 1, usd: 0.9 } },
          { think: '2s' },
          { checkpoint: 'half way' },
          ...PLANNED,
        ],
      },
    ],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(id, 'In Progress');
  const log = await daemon.client.get<{ text: string }>(`/workers/${id.toLowerCase()}-plan/logs`);
  expect(log.text).toContain('A budget is nearly used up. Save a checkpoint and finish soon.');
});

test('counts elapsed time against a time budget, even across a restart', async () => {
  const daemon = await startDaemon({
    yaml: `${HEALTH}budgets: { worker: { wall_clock: 4s } }\n`,
    scenario: [{ steps: [{ think: '1m' }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilEvents('it works', (events) => types(events).includes('attempt.active'));
  await daemon.stop();
  await daemon.start();
  await daemon.untilLabel(id, 'legion-paused');
  const { comments } = await daemon.untilComments(id, 1);
  expect(comments.map(({ text }) => text)).toEqual([
    expect.stringMatching(/\d(\.\d)? s of 4 s used by this worker/),
  ]);
});

test('stops a worker whose turns change nothing, but not a worker that makes progress', async () => {
  const daemon = await startDaemon({
    yaml: HEALTH,
    scenario: [
      {
        issue: 'DEMO-1',
        // Thinks first, because a base that was committed less than a second ago would still look
        // like a change.
        steps: [{ think: '1500ms' }, ...TURN, ...TURN, ...TURN, ...TURN, { think: '1m' }],
      },
      {
        issue: 'DEMO-2',
        steps: [
          { turn: true },
          { turn: true },
          { checkpoint: 'half way' },
          { turn: true },
          { turn: true },
          { write: { path: 'plan.md', content: 'a plan' } },
          { commit: 'Keep the plan' },
          { turn: true },
          { turn: true },
          ...PLANNED,
        ],
      },
    ],
  });
  const [lost, busy] = [await daemon.add({ status: 'Todo' }), await daemon.add({ status: 'Todo' })];
  await daemon.untilStatus(busy, 'In Progress');
  await daemon.untilLabel(lost, 'legion-paused');
  const { comments } = await daemon.untilComments(lost, 1);
  expect(comments.map(({ text }) => text)).toEqual([
    expect.stringMatching(/It took [34] turns without a workspace change/),
  ]);
  expect((await daemon.issue(busy)).labels).not.toContain('legion-paused');
});

test("if the workers of an issue have together used up the issue's budget, starts no further worker on it", async () => {
  const daemon = await startDaemon({
    yaml: `health: { grace: 0s, stop_grace: 20s }\nbudgets: { issue: { tokens: 100 } }\n`,
    scenario: [{ mode: 'plan', steps: [{ usage: { in: 100, out: 0 } }, { think: '1s' }, ...PLANNED] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  // Legion's own label is visible immediately, but the new status becomes visible only after the
  // next read of the board.
  await daemon.untilLabel(id, 'legion-paused');
  expect((await daemon.untilStatus(id, 'In Progress')).labels).toContain('legion-paused');
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ mode }) => mode)).toEqual(['plan']);
});

test('a used-up daily budget stops running workers and blocks starts, appears as one inbox item, and still applies after a restart', async () => {
  const daemon = await startDaemon({
    yaml: `${HEALTH}budgets: { day: { usd: 1 } }\n`,
    scenario: [
      { attempt: 1, steps: [{ usage: { in: 10, out: 10, usd: 1.5 } }, { turn: true }, { think: '1m' }] },
      { attempt: '>1', steps: PLANNED },
    ],
  });
  const id = await daemon.add({ status: 'Todo' });
  const told = await daemon.untilEvents('its turn has ended', (events) =>
    types(events).includes('attempt.stopped'),
  );
  expect(told.find(({ type }) => type === 'attempt.stopped')).toMatchObject({
    why: 'A budget is used up: $1.50 of $1.00 used by all workers today.',
  });
  await daemon.stop();
  await daemon.start();
  await daemon.untilEvents('nothing starts', (events) =>
    events.some((event) => event.type === 'decision.made' && event.reason === 'day_budget_spent'),
  );
  expect(await daemon.inbox()).toMatchObject([
    { kind: 'budget', issue: null, next: expect.stringContaining('budgets.day') },
  ]);
  expect(await daemon.client.get('/health')).toMatchObject({ day: { usd: 1.5, usdLimit: 1 } });
  expect((await daemon.issue(id)).labels).not.toContain('legion-paused');

  daemon.legion.reconfigure(`${HEALTH}budgets: { day: { usd: none } }\n`);
  await daemon.untilStatus(id, 'In Progress');
  expect(await daemon.inbox()).toEqual([]);
});

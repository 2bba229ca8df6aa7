import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

const HEALTH = `limits: { per_mode: { implement: 0 } }
health: { grace: 0s, stop_grace: 1s, second_look: 0.1s, after_step: 1s }
`;

/** Apart, as turns are. */
const TURN = [{ say: 'again' }, { turn: true }, { think: '200ms' }];

const PLANNED = [{ handoff: 'planned' }, { done: 'planned' }];

const types = (events: readonly Event[]) => events.map(({ type }) => type);

test('a budget: a warning, a question, a stop, one word to a person, and on with `resume`', async () => {
  const life = await begin({
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
  const { door } = life;
  const id = await life.add({ status: 'Todo' });
  await life.untilEvents('warned', (events) => types(events).includes('attempt.warned'));
  await life.untilLabel(id, 'legion-paused');
  const told = (await door.events()).filter(({ type }) =>
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
    why: 'A budget is used up: 1,700 tokens of 1,000 tokens are used by this worker.',
  });
  const { comments } = await life.untilComments(id, 1);
  expect(comments.map(({ text }) => text.split('\n')[0])).toEqual([
    'Paused because a budget is used up: 1,700 tokens of 1,000 tokens are used by this worker.',
  ]);
  const [item] = await life.inbox();
  expect(item).toMatchObject({ kind: 'paused', issue: id, next: `legion resume ${id}` });
  expect(item?.text).toContain('1,700 tokens of 1,000 tokens');

  await door.post(`/issues/${id}/resume`, { by: 'Ada' });
  await life.untilStatus(id, 'In Progress');
  const { workers } = await door.get<Explanation>(`/issues/${id}/explain`);
  const [planner] = workers.filter(({ mode }) => mode === 'plan');
  expect(planner).toMatchObject({ attempt: 2, status: 'finished', crashes: 0 });
  expect(planner?.spending).toMatchObject({ tokens: 1_700, usd: 0.2, next: 'nothing' });
});

test('a worker that is warned hears of it with its next answer', async () => {
  const life = await begin({
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
  const id = await life.add({ status: 'Todo' });
  await life.untilStatus(id, 'In Progress');
  const log = await life.door.get<{ text: string }>(`/workers/${id.toLowerCase()}-plan/logs`);
  expect(log.text).toContain('A budget is nearly used up. Save a checkpoint and come to an end.');
});

test('time is a budget too, and one that a restarted daemon goes on counting', async () => {
  const life = await begin({
    yaml: `${HEALTH}budgets: { worker: { wall_clock: 4s } }\n`,
    scenario: [{ steps: [{ think: '1m' }] }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilEvents('it works', (events) => types(events).includes('attempt.active'));
  await life.stop();
  await life.start();
  await life.untilLabel(id, 'legion-paused');
  const { comments } = await life.untilComments(id, 1);
  expect(comments.map(({ text }) => text)).toEqual([
    expect.stringMatching(/\d(\.\d)? s of 4 s are used by this worker/),
  ]);
});

test('turns that lead nowhere stop a worker; those with something to show do not', async () => {
  const life = await begin({
    yaml: HEALTH,
    scenario: [
      {
        issue: 'DEMO-1',
        // Its base was committed a moment before, and has the benefit of the doubt for a second.
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
  const [lost, busy] = [await life.add({ status: 'Todo' }), await life.add({ status: 'Todo' })];
  await life.untilStatus(busy, 'In Progress');
  await life.untilLabel(lost, 'legion-paused');
  const { comments } = await life.untilComments(lost, 1);
  expect(comments.map(({ text }) => text)).toEqual([
    expect.stringMatching(/It has ended [34] turns without a change in its workspace/),
  ]);
  expect((await life.issue(busy)).labels).not.toContain('legion-paused');
});

test('an issue whose workers have used up its budget together starts no other', async () => {
  const life = await begin({
    yaml: `health: { grace: 0s, stop_grace: 20s }\nbudgets: { issue: { tokens: 100 } }\n`,
    scenario: [{ mode: 'plan', steps: [{ usage: { in: 100, out: 0 } }, { think: '1s' }, ...PLANNED] }],
  });
  const id = await life.add({ status: 'Todo' });
  // The label that Legion wrote is shown at once, the new status after the next read of the board.
  await life.untilLabel(id, 'legion-paused');
  expect((await life.untilStatus(id, 'In Progress')).labels).toContain('legion-paused');
  const { workers } = await life.detail(id);
  expect(workers.map(({ mode }) => mode)).toEqual(['plan']);
});

test('a spent day ends running turns, starts nothing, is one item in the inbox, and survives a restart', async () => {
  const life = await begin({
    yaml: `${HEALTH}budgets: { day: { usd: 1 } }\n`,
    scenario: [
      { attempt: 1, steps: [{ usage: { in: 10, out: 10, usd: 1.5 } }, { turn: true }, { think: '1m' }] },
      { attempt: '>1', steps: PLANNED },
    ],
  });
  const id = await life.add({ status: 'Todo' });
  const told = await life.untilEvents('its turn is ended', (events) =>
    types(events).includes('attempt.stopped'),
  );
  expect(told.find(({ type }) => type === 'attempt.stopped')).toMatchObject({
    why: 'A budget is used up: $1.50 of $1.00 are used by all workers today.',
  });
  await life.stop();
  await life.start();
  await life.untilEvents('nothing starts', (events) =>
    events.some((event) => event.type === 'decision.made' && event.reason === 'day_budget_spent'),
  );
  expect(await life.inbox()).toMatchObject([
    { kind: 'budget', issue: null, next: expect.stringContaining('budgets.day') },
  ]);
  expect(await life.door.get('/health')).toMatchObject({ day: { usd: 1.5, usdLimit: 1 } });
  expect((await life.issue(id)).labels).not.toContain('legion-paused');

  life.legion.reconfigure(`${HEALTH}budgets: { day: { usd: none } }\n`);
  await life.untilStatus(id, 'In Progress');
  expect(await life.inbox()).toEqual([]);
});

import { expect, test } from 'vitest';
import type { HealthView } from '../../src/protocol/operator.ts';
import { type Life, stage } from '../e2e/support/legion.ts';
import { until } from '../support/running-daemon.ts';

const begin = stage();

/** More than enough for a loop to begin; each is a wake-up of its own. */
const WORDS = 30;

/** How often anybody was sent to work. */
async function starts({ door }: Life): Promise<number> {
  return (await door.events()).filter(({ type }) => type === 'attempt.dispatched').length;
}

/** Nothing is written any more, so nothing more follows. */
async function quiet({ door }: Life): Promise<void> {
  let before = -1;
  await until(
    async () => {
      const { journalVersion } = await door.get<HealthView>('/health');
      const isQuiet = journalVersion === before;
      before = journalVersion;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return isQuiet;
    },
    (isQuiet) => isQuiet,
    100_000,
  );
}

test('workers that write to themselves, to each other and on their issue start nobody by that', async () => {
  const talk = (to: string) => [
    { message: { to, text: 'Go on!' } },
    { comment: { text: 'I go on.' } },
    { status: 'still at it' },
  ];
  const plan = [{ handoff: { summary: 'the plan' } }, { done: 'planned' }];
  const life = await begin({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    scenario: [
      { issue: 'DEMO-1', steps: [...talk('demo-1-plan'), ...plan] },
      { issue: 'DEMO-2', steps: [...talk('demo-2-plan'), ...talk('demo-1-plan'), ...plan] },
    ],
  });
  const one = await life.add({ status: 'Todo' });
  await life.untilStatus(one, 'In Progress');
  const other = await life.add({ status: 'Todo' });
  await life.untilStatus(other, 'In Progress');
  await quiet(life);
  expect(await starts(life)).toBe(2);

  // Every word on an issue wakes the loop; where nothing is due, nothing follows from that.
  for (let word = 0; word < WORDS; word += 1)
    await life.door.post(`/issues/${one}/comments`, { text: `word ${word}`, author: 'Ada' });
  await quiet(life);
  expect(await starts(life)).toBe(2);
});

test('a worker whose every call succeeds and that changes nothing is not sent for ever: a person is asked', async () => {
  const life = await begin({
    yaml: 'limits: { rounds: { ci_failure: 1, test_failure: 1 }, respawns: 1 }\n',
    files: { '.legion/config.yml': "commands: { quality_gate: ['true'] }\n" },
    scenario: [{ mode: 'test', steps: [{ verdict: { result: 'fail', suites: ['unit'] } }, { done: 'red' }] }],
  });
  const id = await life.add({ status: 'In Progress' });
  await life.untilLabel(id, 'user-input-needed');
  await quiet(life);
  const before = await starts(life);
  await life.door.post('/state/advance', { issue: id });
  await quiet(life);
  expect(await starts(life)).toBe(before);
  expect((await life.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['escalation', id]]);
});

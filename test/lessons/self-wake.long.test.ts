import { expect, test } from 'vitest';
import type { HealthView } from '../../src/protocol/status.ts';
import { setUpDaemons, type TestDaemon } from '../e2e/support/legion.ts';
import { until } from '../support/running-daemon.ts';

const startDaemon = setUpDaemons();

/**
 * Number of comments. Each one wakes the loop, so an endless loop would start well within this
 * number.
 */
const WORDS = 30;

/** Counts dispatched attempts. */
async function starts({ client }: TestDaemon): Promise<number> {
  return (await client.events()).filter(({ type }) => type === 'attempt.dispatched').length;
}

/** Waits until the journal stops growing, which means that nothing more will follow. */
async function quiet({ client }: TestDaemon): Promise<void> {
  let before = -1;
  await until(
    async () => {
      const { journalVersion } = await client.get<HealthView>('/health');
      const isQuiet = journalVersion === before;
      before = journalVersion;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return isQuiet;
    },
    (isQuiet) => isQuiet,
    100_000,
  );
}

test('messages and comments that workers write to themselves, to each other or to their issues start no new workers', async () => {
  const talk = (to: string) => [
    { message: { to, text: 'Go on!' } },
    { comment: { text: 'I go on.' } },
    { status: 'still working' },
  ];
  const plan = [{ handoff: { summary: 'the plan' } }, { done: 'planned' }];
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    scenario: [
      { issue: 'DEMO-1', steps: [...talk('demo-1-plan'), ...plan] },
      { issue: 'DEMO-2', steps: [...talk('demo-2-plan'), ...talk('demo-1-plan'), ...plan] },
    ],
  });
  const one = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(one, 'In Progress');
  const other = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(other, 'In Progress');
  await quiet(daemon);
  expect(await starts(daemon)).toBe(2);

  // Every comment wakes the loop, but the loop does nothing, because nothing is due.
  for (let word = 0; word < WORDS; word += 1)
    await daemon.client.post(`/issues/${one}/comments`, { text: `word ${word}`, author: 'Ada' });
  await quiet(daemon);
  expect(await starts(daemon)).toBe(2);
});

test('an issue whose worker makes only successful calls but no progress goes to a person instead of being retried endlessly', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { rounds: { ci_failure: 1, test_failure: 1 }, respawns: 1 }\n',
    files: { '.legion/config.yml': "commands: { quality_gate: ['true'] }\n" },
    scenario: [{ mode: 'test', steps: [{ verdict: { result: 'fail', suites: ['unit'] } }, { done: 'red' }] }],
  });
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilLabel(id, 'user-input-needed');
  await quiet(daemon);
  const before = await starts(daemon);
  await daemon.client.post('/state/advance', { issue: id });
  await quiet(daemon);
  expect(await starts(daemon)).toBe(before);
  expect((await daemon.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['escalation', id]]);
});

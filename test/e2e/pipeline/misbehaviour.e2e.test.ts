import { expect, test } from 'vitest';
import type { Event, EventOf, EventType } from '../../../src/core/model/event.ts';
import type { LogsAnswer, WorkerStatusView } from '../../../src/protocol/workers.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const NO_SLOT_AFTERWARDS = 'limits: { per_mode: { implement: 0 } }\n';

/**
 * Limits that are short enough for a test. A healthy worker stays within them, because it writes
 * every few milliseconds or uses the CPU.
 */
const SHORT_LIMITS = `health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    thinking: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, quota_jitter: 0s }
`;

function of<T extends EventType>(events: readonly Event[], type: T, issue: string): EventOf<T>[] {
  return events.filter(
    (event) => event.type === type && 'issue' in event && event.issue === issue,
  ) as EventOf<T>[];
}

test('kills and replaces a hanging worker that ignores TERM, but leaves a busy worker alone', async () => {
  const daemon = await startDaemon({
    yaml: `${NO_SLOT_AFTERWARDS}${SHORT_LIMITS}`,
    scenario: [
      {
        issue: 'DEMO-1',
        attempt: 1,
        steps: [{ say: 'thinking' }, { ignore_term: true }, { hang: 'silent' }],
      },
      { issue: 'DEMO-2', attempt: 1, steps: [{ say: 'thinking' }, { hang: 'busy' }] },
    ],
  });
  const [silent, busy] = [await daemon.add({ status: 'Todo' }), await daemon.add({ status: 'Todo' })];
  await daemon.untilStatus(silent, 'In Progress');

  const events = await daemon.client.events();
  const [crash, ...others] = of(events, 'attempt.crashed', silent);
  expect(others).toEqual([]);
  expect(crash?.evidence.filter((fact) => fact.startsWith('ground=')).length).toBeGreaterThanOrEqual(2);
  expect(of(events, 'kill.performed', silent)).toHaveLength(1);
  expect(of(events, 'attempt.exited', silent).map(({ attempt, signal }) => [attempt, signal])).toContainEqual(
    [1, 'SIGKILL'],
  );
  // The replacement starts only after the old process has exited.
  const ended = of(events, 'attempt.exited', silent).find(({ attempt }) => attempt === 1)?.seq ?? 0;
  const again = of(events, 'attempt.dispatched', silent).find(({ attempt }) => attempt === 2)?.seq ?? 0;
  expect(ended).toBeGreaterThan(0);
  expect(again).toBeGreaterThan(ended);

  const { attempt, status, health } = await daemon.client.get<WorkerStatusView>(
    `/workers/${busy}-plan/status`,
  );
  expect([attempt, status]).toEqual([1, 'executing']);
  expect(['healthy', 'suspicious']).toContain(health.verdict);
  expect(of(events, 'attempt.crashed', busy)).toEqual([]);
});

test('a worker that ran out of quota waits for the reset, even across a restart, and continues its session without a recorded crash', async () => {
  const daemon = await startDaemon({
    yaml: `${NO_SLOT_AFTERWARDS}${SHORT_LIMITS}`,
    scenario: [{ attempt: 1, steps: [{ rate_limited: { reset_in: '2s' } }, { exit: 1 }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilEvents('it waits', (events) => of(events, 'attempt.waiting', id).length > 0);
  await daemon.stop();
  await daemon.start();
  await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.client.events();
  const [wait, ...waits] = of(events, 'attempt.waiting', id);
  expect(waits).toEqual([]);
  expect(wait?.for).toBe('quota');
  const [first, second, ...more] = of(events, 'attempt.dispatched', id);
  expect(more).toEqual([]);
  expect(second?.session).toBe(first?.session);
  expect(second?.at).toBeGreaterThanOrEqual(wait?.until ?? Number.POSITIVE_INFINITY);
  expect(of(events, 'attempt.crashed', id)).toEqual([]);
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ attempt, crashes }) => [attempt, crashes])).toEqual([[2, 0]]);
});

test('treats an exit without a report as a failure; refuses a false report and says what is missing; tolerates noisy output', async () => {
  const daemon = await startDaemon({
    yaml: `limits: { per_mode: { test: 0 } }\n${SHORT_LIMITS}`,
    scenario: [
      { issue: 'DEMO-1', steps: [{ lie: 'all done' }] },
      { issue: 'DEMO-2', mode: 'implement', attempt: 1, steps: [{ say: 'done!' }, { exit: 0 }] },
      {
        issue: 'DEMO-3',
        mode: 'plan',
        steps: [
          { flood: { bytes: '3MB' } },
          { garbage: { lines: 20 } },
          { flood: { bytes: '6MB', one_line: true } },
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  const [lies, silent, noisy] = [
    await daemon.add({ status: 'In Progress' }),
    await daemon.add({ status: 'In Progress' }),
    await daemon.add({ status: 'Todo' }),
  ];
  await daemon.untilLabel(lies, 'legion-paused');
  const liar = `/workers/${lies}-implement`;
  const { text } = await daemon.client.get<LogsAnswer>(`${liar}/logs?attempt=1`);
  expect(text).toContain(
    'done was not accepted: There is no pull request. Push, then run `legion worker pr open`.',
  );

  await daemon.untilStatus(silent, 'Testing');
  await daemon.untilStatus(noisy, 'Testing');
  // Waits for the exits as well, because a worker reports before it exits.
  await daemon.untilEvents(
    'the silent one has ended twice',
    (all) => of(all, 'attempt.exited', silent).length === 2,
  );
  const events = await daemon.client.events();
  expect(of(events, 'attempt.report_refused', lies).map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(of(events, 'attempt.crashed', lies)).toHaveLength(2);
  expect((await daemon.inbox()).map(({ kind, issue, text: why }) => [kind, issue, why])).toEqual([
    [
      'paused',
      lies,
      expect.stringContaining('exited after its report was refused: There is no pull request'),
    ],
  ]);

  expect(of(events, 'attempt.exited', silent).map(({ code }) => code)).toEqual([0, 0]);
  expect(of(events, 'attempt.crashed', silent).map(({ attempt }) => attempt)).toEqual([1]);
  expect(of(events, 'attempt.crashed', noisy)).toEqual([]);
  expect((await daemon.client.get<{ troubles: unknown[] }>('/health')).troubles).toEqual([]);
});

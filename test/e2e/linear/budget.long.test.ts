/**
 * Checks that a daemon polls less often as its Linear budget shrinks, and starts no worker while
 * its view of the board is stale.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { until } from '../../support/running-daemon.ts';
import { type LinearDaemon, setUpLinearDaemons, TEAM } from './linear-legion.ts';

const startDaemon = setUpLinearDaemons();
const MAX_TEST_MS = 240_000;
const WATCHED_MS = 12_000;
/** The worker thinks for so long that no requests are left when it reports. */
const RULES = [{ mode: 'plan', steps: [{ think: '70s' }, { done: 'Planned' }] }];

const countBoardReads = ({ linear }: LinearDaemon) =>
  linear.requests().filter(({ name }) => name === 'BoardChanges').length;

async function countBoardReadsWhile(daemon: LinearDaemon): Promise<number> {
  const before = countBoardReads(daemon);
  await sleep(WATCHED_MS);
  return countBoardReads(daemon) - before;
}

test(
  'polls less often as its request budget shrinks; when no requests are left, does not start, kill or pause any worker and reports the reason',
  async () => {
    // The second issue's worker has to wait until the first one frees the only slot.
    const daemon = await startDaemon({ rules: RULES, yaml: 'limits: { workers: 1 }\n' });
    const { people, faults } = daemon.linear;
    const [working, waiting] = ['At work', 'Waits'].map((title) =>
      people.issue(TEAM, { creator: 'ada', title, state: 'Todo' }),
    );
    await daemon.start();
    await until(
      () => daemon.events(),
      (events) => events.some((event) => event.type === 'attempt.spawned' && event.issue === working),
    );
    const often = await countBoardReadsWhile(daemon);
    expect(often).toBeGreaterThan(3);

    // With a fifth of the budget left, a pass runs about every eight seconds instead of every two.
    faults.limits({ requests: { limit: 5_000, remaining: 1_000 } });
    await sleep(WATCHED_MS);
    expect(await countBoardReadsWhile(daemon), 'while few requests are left').toBeLessThanOrEqual(often / 2);

    // The budget is used up and hardly refills, so every request is refused.
    faults.limits({ requests: { limit: 20, remaining: 0 } });
    const health = () => daemon.client.get<{ troubles: { code: string }[] }>('/health');
    const isRefused = ({ troubles }: Awaited<ReturnType<typeof health>>) =>
      troubles.some(({ code }) => code === 'linear.rate_limited');
    // Polls the health instead of an issue. Reading an issue would itself query Linear, and the
    // pass would end without a refusal.
    await until(health, isRefused, 60_000);
    const explain = () => daemon.client.get<IssueExplanation>(`/issues/${waiting}/explain`);
    const { state } = await until(explain, (said) => JSON.stringify(said).includes('board_stale'), 60_000);
    expect(state.status).toBe('Todo');
    await until(
      () => daemon.events(),
      (seen) => seen.some((event) => event.type === 'attempt.reported' && event.issue === working),
      90_000,
    );
    // Legion tries to write the result of the report that just arrived. Meanwhile, regular passes
    // become less and less frequent.
    const asked = daemon.linear.requests().length;
    await sleep(WATCHED_MS);
    expect(daemon.linear.requests().length - asked, 'while no requests are left').toBeLessThanOrEqual(5);

    const events = await daemon.events();
    expect(events.filter(({ type }) => /crashed|paused|kill|stopped|breaker/.test(type))).toEqual([]);
    expect(events.flatMap((event) => (event.type === 'attempt.dispatched' ? [event.issue] : []))).toEqual([
      working,
    ]);
  },
  MAX_TEST_MS,
);

/** What a whole daemon does when Linear lets it ask less and less: it looks less often, and starts nobody on a board that is old. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { until } from '../../support/running-daemon.ts';
import { type LinearLife, linearStage, TEAM } from './linear-legion.ts';

const begin = linearStage();
const MOST_MS = 240_000;
const WATCHED_MS = 12_000;
/** It reports when nothing can be asked any more. */
const RULES = [{ mode: 'plan', steps: [{ think: '70s' }, { done: 'Planned' }] }];

const looks = ({ linear }: LinearLife) =>
  linear.requests().filter(({ name }) => name === 'BoardChanges').length;

async function looksMeanwhile(life: LinearLife): Promise<number> {
  const before = looks(life);
  await sleep(WATCHED_MS);
  return looks(life) - before;
}

test(
  'looks become fewer as requests run short; when there are none nobody is started, killed or paused, and it is said why',
  async () => {
    // The second waits for the place of the first.
    const life = await begin({ rules: RULES, yaml: 'limits: { workers: 1 }\n' });
    const { people, faults } = life.linear;
    const [working, waiting] = ['At work', 'Waits'].map((title) =>
      people.issue(TEAM, { creator: 'ada', title, state: 'Todo' }),
    );
    await life.start();
    await until(
      () => life.events(),
      (events) => events.some((event) => event.type === 'attempt.spawned' && event.issue === working),
    );
    const often = await looksMeanwhile(life);
    expect(often).toBeGreaterThan(3);

    // A fifth is left: a look every eight seconds or so instead of every two.
    faults.limits({ requests: { limit: 5_000, remaining: 1_000 } });
    await sleep(WATCHED_MS);
    expect(await looksMeanwhile(life), 'while requests are short').toBeLessThanOrEqual(often / 2);

    // Nothing at all, and hardly anything flows back: whoever asks is refused.
    faults.limits({ requests: { limit: 20, remaining: 0 } });
    const health = () => life.door.get<{ troubles: { code: string }[] }>('/health');
    const isRefused = ({ troubles }: Awaited<ReturnType<typeof health>>) =>
      troubles.some(({ code }) => code === 'linear.rate_limited');
    // Not asked for an issue meanwhile: that would ask Linear, too, and the looks would end without a refusal.
    await until(health, isRefused, 60_000);
    const explain = () => life.door.get<Explanation>(`/issues/${waiting}/explain`);
    const { state } = await until(explain, (said) => JSON.stringify(said).includes('board_stale'), 60_000);
    expect(state.status).toBe('Todo');
    await until(
      () => life.events(),
      (seen) => seen.some((event) => event.type === 'attempt.reported' && event.issue === working),
      90_000,
    );
    // A report has just come, whose writes are tried; every pass by itself comes ever more seldom.
    const asked = life.linear.requests().length;
    await sleep(WATCHED_MS);
    expect(life.linear.requests().length - asked, 'while there are none').toBeLessThanOrEqual(5);

    const events = await life.events();
    expect(events.filter(({ type }) => /crashed|paused|kill|stopped|breaker/.test(type))).toEqual([]);
    expect(events.flatMap((event) => (event.type === 'attempt.dispatched' ? [event.issue] : []))).toEqual([
      working,
    ]);
  },
  MOST_MS,
);

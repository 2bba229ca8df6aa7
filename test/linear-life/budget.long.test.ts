/** What a whole daemon does when Linear lets it ask less and less: it looks less often, and starts nobody on a board that is old. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Explanation } from '../../src/protocol/operator.ts';
import { until } from '../daemon/running.ts';
import { type LinearLife, linearStage, TEAM } from './stage.ts';

const begin = linearStage();
const MOST_MS = 200_000;
const WATCHED_MS = 12_000;
const RULES = [
  { mode: 'plan', steps: [{ say: 'I think about it.' }, { think: '120s' }, { done: 'Planned' }] },
];

const looks = ({ linear }: LinearLife) =>
  linear.requests().filter(({ name }) => name === 'BoardChanges').length;

async function looksMeanwhile(life: LinearLife): Promise<number> {
  const before = looks(life);
  await sleep(WATCHED_MS);
  return looks(life) - before;
}

test(
  'looks become fewer as requests run short; when there are none, nobody is started, killed or paused, and all of it is said',
  async () => {
    const life = await begin({ rules: RULES });
    const { people, faults } = life.linear;
    const working = people.issue(TEAM, { creator: 'ada', title: 'At work', state: 'Todo' });
    await life.start();
    const isAtWork = (issue: string) =>
      until(
        () => life.events(),
        (events) => events.some((event) => event.type === 'attempt.spawned' && event.issue === issue),
      );
    await isAtWork(working);
    const often = await looksMeanwhile(life);
    expect(often).toBeGreaterThan(3);

    // A fifth is left: a look every eight seconds or so instead of every two.
    faults.limits({ requests: { limit: 5_000, remaining: 1_000 } });
    await sleep(WATCHED_MS);
    expect(await looksMeanwhile(life), 'while requests are short').toBeLessThanOrEqual(often / 2);

    // Nothing at all: whoever asks is refused until it has flowed back.
    faults.limits({ requests: { limit: 5_000, remaining: 0 } });
    const late = people.issue(TEAM, { creator: 'ada', title: 'Comes late', state: 'Todo' });
    await sleep(2 * WATCHED_MS);
    const since = Date.now();
    const asked = life.linear.requests().length;
    await sleep(WATCHED_MS);
    expect(life.linear.requests().length - asked, 'while there are none').toBeLessThanOrEqual(1);
    const { state } = await life.door.get<Explanation>(`/issues/${working}/explain`);
    expect(JSON.stringify(state)).toMatch(/executing|at work|live/i);
    const { troubles } = await life.door.get<{ troubles: { code: string }[] }>('/health');
    expect(troubles.map(({ code }) => code)).toContain('linear.rate_limited');
    const events = await life.events();
    expect(events.filter(({ type }) => /crashed|paused|kill|stopped|breaker/.test(type))).toEqual([]);
    expect(events.filter(({ type, at }) => type === 'attempt.dispatched' && at > since)).toEqual([]);
    expect(await life.door.request('POST', '/workers', { issue: late, mode: 'plan' })).toMatchObject({
      body: { error: { code: expect.stringMatching(/^(tracker|linear)\./) } },
    });
  },
  MOST_MS,
);

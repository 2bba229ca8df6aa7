/** GitHub is away for many looks at the board, while workers are at work: nobody pays for that but with time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../simulators/github/demo.ts';
import { quantities } from '../../src/demo/stories/quantities.ts';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { total } from '../../src/demo/stories/total.ts';
import { scenario } from '../../src/demo/stories.ts';
import type { Event } from '../../src/domain/event.ts';
import type { Explanation } from '../../src/protocol/operator.ts';
import { until } from '../daemon/running.ts';
import { expectLives } from '../demo/lived.ts';
import { numberedOn, seeThrough, write } from './person.ts';
import { githubStage } from './stage.ts';
import { expectWhole } from './verdict.ts';

const begin = githubStage();
const stories = numberedOn([quotedNames, quantities, total]);
const [bug, slow, building] = stories.map(({ id }) => id);
const MOST_MS = 400_000;

/** One second is to 36 as the ordinary half a minute is to 18 minutes: more than thirty looks that fail. */
const INTERVAL_MS = 1_000;
const HALF_MS = 18_000;
/** Two looks that come to nothing make a board old; one that was under way may still end well. */
const OLD_AFTER_MS = 2 * INTERVAL_MS + 1_000;

/** They are at work when GitHub goes away, and report while it is away. */
const { rules } = scenario(stories);
const thoughtful = rules.map((rule) => {
  const isLong = (rule.issue === bug && rule.phase === 'plan') || rule.issue === slow;
  const isBuilding = rule.issue === building && rule.phase === 'implement' && rule.purpose === 'start';
  // After they have read their issue, which nobody can while GitHub is away.
  if (isLong && (rule.phase === 'plan' || rule.phase === 'architect'))
    return { ...rule, steps: [...rule.steps.slice(0, 1), { think: '20s' }, ...rule.steps.slice(1)] };
  return isBuilding ? { ...rule, steps: [{ think: '3s' }, ...rule.steps] } : rule;
});

test(
  'while GitHub is away nobody is killed, paused or started, reports are kept, and afterwards all goes on',
  async () => {
    const life = await begin({
      rules: thoughtful,
      yaml: `polling: { interval: ${INTERVAL_MS / 1_000}s, slow_after: 1000 }\n`,
    });
    await life.start();
    write(life, stories);
    const isAtWork = (events: readonly Event[], issue: string | undefined, mode: string) =>
      events.some(
        (event) => event.type === 'attempt.spawned' && event.issue === issue && event.mode === mode,
      );
    await until(
      () => life.events(),
      (events) =>
        isAtWork(events, bug, 'plan') &&
        isAtWork(events, slow, 'architect') &&
        isAtWork(events, building, 'implement'),
      60_000,
    );

    life.github.faults.outage('refused');
    const since = Date.now();
    await sleep(HALF_MS);
    // People go on meanwhile; nobody here can know.
    life.github.people.comment('ada', DEMO_REPO, 2, 'Take your time.');
    life.github.faults.outage(502);
    await sleep(HALF_MS);
    const during = (await life.events()).filter(({ at }) => at > since);
    const { state } = await life.door.get<Explanation>(`/issues/${bug}/explain`);
    const { ok } = await life.door.get<{ ok: boolean }>('/health');
    life.github.faults.outage(undefined);

    const spoken = during.flatMap((event) =>
      event.type === 'attempt.reported' ? [`${event.issue} ${event.mode} ${event.outcome}`] : [],
    );
    expect(spoken).toEqual(expect.arrayContaining([`${bug} plan done`, `${slow} architect done`]));
    const harm = ['attempt.crashed', 'attempt.paused', 'kill.performed', 'attempt.stopped', 'breaker.opened'];
    expect(during.filter(({ type }) => harm.includes(type))).toEqual([]);
    const started = during.filter(
      ({ type, at }) => type === 'attempt.dispatched' && at > since + OLD_AFTER_MS,
    );
    expect(started).toEqual([]);
    expect(ok).toBe(false);
    expect(JSON.stringify(state)).toMatch(/board_stale|as last seen/);

    await seeThrough(life, stories);
    expectWhole(life, stories, 'after the outage');
    expectLives(await life.events(), stories, 'after the outage');
  },
  MOST_MS,
);

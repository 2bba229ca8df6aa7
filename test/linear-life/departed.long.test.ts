/** An issue that a person cancels, archives or moves to another team while a worker is at it: nobody is killed, and no work is lost. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { quotedNames } from '../../src/demo/stories/quoted-names.ts';
import { total } from '../../src/demo/stories/total.ts';
import { scenario } from '../../src/demo/stories.ts';
import type { Event } from '../../src/domain/event.ts';
import { doubleDispatches } from '../daemon/life/places.ts';
import { until } from '../daemon/running.ts';
import { git } from '../forges/git.ts';
import { numberedOn, seeThrough, write } from './person.ts';
import { type LinearLife, linearStage } from './stage.ts';
import { expectWhole } from './verdict.ts';

const begin = linearStage();
const stories = numberedOn([quotedNames, total]);
const [GONE = '', OTHER = ''] = stories.map(({ id }) => id);
const MOST_MS = 300_000;
/** Several looks at the board, in which something could be begun that should not be. */
const SEVERAL_LOOKS_MS = 8_000;
const HARM = ['attempt.crashed', 'attempt.paused', 'kill.performed', 'attempt.stopped', 'breaker.opened'];

/** Its implementer has committed when it thinks, and hands in only afterwards. */
const rules = scenario(stories).rules.map((rule) => {
  const at = rule.steps.findIndex((step) => 'commit' in step) + 1;
  const thinks = rule.issue === GONE && rule.phase === 'implement' && at > 0;
  return thinks
    ? { ...rule, steps: [...rule.steps.slice(0, at), { think: '8s' }, ...rule.steps.slice(at)] }
    : rule;
});

const leaves: readonly [string, (life: LinearLife) => void, ((life: LinearLife) => void) | undefined][] = [
  [
    'is canceled, and opened again later',
    ({ linear }) => linear.people.move('ada', GONE, 'Canceled'),
    ({ linear }) => linear.people.move('ada', GONE, 'In Progress'),
  ],
  [
    'is archived, and brought back later',
    ({ linear }) => linear.people.archive('ada', GONE),
    ({ linear }) => linear.people.unarchive('ada', GONE),
  ],
  [
    'is moved to another team for good',
    ({ linear }) => void linear.people.moveToTeam('ada', GONE, 'OPS'),
    undefined,
  ],
];

test.each(leaves)(
  'an issue that %s: its worker goes on to its report, nothing is begun for it meanwhile, its workspace stays',
  async (_, leave, comeBack) => {
    const life = await begin({ rules });
    life.linear.people.team({ key: 'OPS', name: 'Operations' });
    await life.start();
    write(life, stories);
    const workspace = life.workspaceOf(GONE);
    const ahead = () => git(workspace, 'log', '--format=%s', 'main..HEAD');
    await until(
      async () => (existsSync(workspace) ? ahead() : ''),
      (log) => log.includes(GONE),
      60_000,
    );
    leave(life);
    // Of an issue that is on no board nobody can tell whether it is done: its worker is told so, and reports that.
    const reported = (events: readonly Event[]) =>
      events.find(
        (event) => event.type === 'attempt.reported' && event.issue === GONE && event.mode === 'implement',
      );
    await until(
      () => life.events(),
      (events) => reported(events) !== undefined,
      60_000,
    );
    // The other one goes on beside it.
    await until(
      async () => life.linear.snapshot().issues.find(({ identifier }) => identifier === OTHER)?.state,
      (state) => state === 'Done',
      120_000,
    );
    await sleep(SEVERAL_LOOKS_MS);

    const events = await life.events();
    expect(events.filter(({ type }) => HARM.includes(type))).toEqual([]);
    const since = reported(events)?.at ?? 0;
    const begun = events.filter(
      ({ type, at, ...event }) =>
        type === 'attempt.dispatched' && at > since && 'issue' in event && event.issue === GONE,
    );
    expect(begun).toEqual([]);
    expect(await ahead()).toContain(GONE);

    if (comeBack === undefined) return;
    comeBack(life);
    await seeThrough(life, stories);
    expectWhole(life, stories, 'back again');
    const whole = await life.events();
    expect(doubleDispatches(whole)).toEqual([]);
    expect(whole.filter(({ type }) => HARM.includes(type))).toEqual([]);
  },
  MOST_MS,
);

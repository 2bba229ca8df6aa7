/** A person cancels, archives or moves an issue to another team while a worker works on it: no work is lost. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { total } from '../../../src/demo/stories/total.ts';
import { scenario } from '../../../src/demo/stories.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { doubleDispatches } from '../support/attempts.ts';
import { expectWhole } from './final-state.ts';
import { type LinearLife, linearStage } from './linear-legion.ts';
import { numberedOn, seeThrough, write } from './person.ts';

const begin = linearStage();
const stories = numberedOn([quotedNames, total]);
const [GONE = '', OTHER = ''] = stories.map(({ id }) => id);
const MOST_MS = 300_000;
/** Several looks at the board, in which something could be begun that should not be. */
const SEVERAL_LOOKS_MS = 8_000;
const HARM = ['attempt.crashed', 'attempt.paused', 'kill.performed', 'breaker.opened'];

/** How the worker of the issue ends: to cancel an issue is to close it, which stops its workers. */
type End = 'attempt.reported' | 'attempt.stopped';
type Act = (life: LinearLife) => void;

/** Its implementer has committed when it thinks, and hands in only afterwards. */
const rules = scenario(stories).rules.map((rule) => {
  const at = rule.steps.findIndex((step) => 'commit' in step) + 1;
  const thinks = rule.issue === GONE && rule.phase === 'implement' && at > 0;
  return thinks
    ? { ...rule, steps: [...rule.steps.slice(0, at), { think: '8s' }, ...rule.steps.slice(at)] }
    : rule;
});

const leaves: readonly [string, End, Act, Act | undefined][] = [
  [
    'is canceled, and opened again later: its worker is stopped',
    'attempt.stopped',
    ({ linear }) => linear.people.move('ada', GONE, 'Canceled'),
    ({ linear }) => linear.people.move('ada', GONE, 'In Progress'),
  ],
  [
    'is archived, and brought back later: its worker goes on to its report',
    'attempt.reported',
    ({ linear }) => linear.people.archive('ada', GONE),
    ({ linear }) => linear.people.unarchive('ada', GONE),
  ],
  [
    'is moved to another team for good: its worker goes on to its report',
    'attempt.reported',
    ({ linear }) => void linear.people.moveToTeam('ada', GONE, 'OPS'),
    undefined,
  ],
];

test.each(leaves)(
  'an issue that %s, nothing starts for it meanwhile, its workspace stays',
  async (_, end, leave, comeBack) => {
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
    const findEnd = (events: readonly Event[]) =>
      events.find((event) => event.type === end && event.issue === GONE && event.mode === 'implement');
    await until(
      () => life.events(),
      (events) => findEnd(events) !== undefined,
      60_000,
    );
    // The other one goes on beside it.
    await until(
      async () => life.linear.snapshot().issues.find(({ identifier }) => identifier === OTHER)?.state,
      (state) => state === 'Done',
      120_000,
    );
    await sleep(SEVERAL_LOOKS_MS);

    const unwanted = end === 'attempt.stopped' ? HARM : [...HARM, 'attempt.stopped'];
    const events = await life.events();
    expect(events.filter(({ type }) => unwanted.includes(type))).toEqual([]);
    const since = findEnd(events)?.at ?? 0;
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
    expect(whole.filter(({ type }) => unwanted.includes(type))).toEqual([]);
  },
  MOST_MS,
);

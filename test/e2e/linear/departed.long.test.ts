/**
 * Checks that no work is lost if an issue is canceled, archived or moved to another team while its
 * worker is running.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { quotedNames } from '../../../src/demo/stories/quoted-names.ts';
import { total } from '../../../src/demo/stories/total.ts';
import { buildDemoScenario } from '../../../src/demo/stories.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { findDoubleDispatches } from '../support/attempts.ts';
import { expectFinalState } from './final-state.ts';
import { type LinearDaemon, setUpLinearDaemons } from './linear-legion.ts';
import { completeIssues, numberIssues, writeIssues } from './person.ts';

const startDaemon = setUpLinearDaemons();
const stories = numberIssues([quotedNames, total]);
const [GONE = '', OTHER = ''] = stories.map(({ id }) => id);
const MOST_MS = 300_000;
/**
 * Time for several reconcile passes. A worker that is started by mistake would start within this
 * time.
 */
const SEVERAL_PASSES_MS = 8_000;
const HARM = ['attempt.crashed', 'attempt.paused', 'kill.performed', 'breaker.opened'];

/**
 * The event that ends the issue's worker. Canceling an issue closes it, which stops its workers.
 */
type End = 'attempt.reported' | 'attempt.stopped';
type Act = (daemon: LinearDaemon) => void;

/**
 * Makes the departing issue's implementer think after its commit, so that it reports only after the
 * issue has left.
 */
const rules = buildDemoScenario(stories).rules.map((rule) => {
  const at = rule.steps.findIndex((step) => 'commit' in step) + 1;
  const thinks = rule.issue === GONE && rule.phase === 'implement' && at > 0;
  return thinks
    ? { ...rule, steps: [...rule.steps.slice(0, at), { think: '8s' }, ...rule.steps.slice(at)] }
    : rule;
});

const leaves: readonly [string, End, Act, Act | undefined][] = [
  [
    'is canceled and later reopened (its worker is stopped)',
    'attempt.stopped',
    ({ linear }) => linear.people.move('ada', GONE, 'Canceled'),
    ({ linear }) => linear.people.move('ada', GONE, 'In Progress'),
  ],
  [
    'is archived and later restored (its worker continues to its report)',
    'attempt.reported',
    ({ linear }) => linear.people.archive('ada', GONE),
    ({ linear }) => linear.people.unarchive('ada', GONE),
  ],
  [
    'moves to another team for good (its worker continues to its report)',
    'attempt.reported',
    ({ linear }) => void linear.people.moveToTeam('ada', GONE, 'OPS'),
    undefined,
  ],
];

test.each(leaves)(
  'while an issue is away from the board, starts no worker for it and keeps its workspace: the issue %s',
  async (_, end, leave, comeBack) => {
    const daemon = await startDaemon({ rules });
    daemon.linear.people.team({ key: 'OPS', name: 'Operations' });
    await daemon.start();
    writeIssues(daemon, stories);
    const workspace = daemon.workspaceOf(GONE);
    const ahead = () => git(workspace, 'log', '--format=%s', 'main..HEAD');
    await until(
      async () => (existsSync(workspace) ? ahead() : ''),
      (log) => log.includes(GONE),
      60_000,
    );
    leave(daemon);
    const findEnd = (events: readonly Event[]) =>
      events.find((event) => event.type === end && event.issue === GONE && event.mode === 'implement');
    await until(
      () => daemon.events(),
      (events) => findEnd(events) !== undefined,
      60_000,
    );
    // The other issue is worked on in parallel.
    await until(
      async () => daemon.linear.snapshot().issues.find(({ identifier }) => identifier === OTHER)?.state,
      (state) => state === 'Done',
      120_000,
    );
    await sleep(SEVERAL_PASSES_MS);

    const unwanted = end === 'attempt.stopped' ? HARM : [...HARM, 'attempt.stopped'];
    const events = await daemon.events();
    expect(events.filter(({ type }) => unwanted.includes(type))).toEqual([]);
    const since = findEnd(events)?.at ?? 0;
    const begun = events.filter(
      ({ type, at, ...event }) =>
        type === 'attempt.dispatched' && at > since && 'issue' in event && event.issue === GONE,
    );
    expect(begun).toEqual([]);
    expect(await ahead()).toContain(GONE);

    if (comeBack === undefined) return;
    comeBack(daemon);
    await completeIssues(daemon, stories);
    expectFinalState(daemon, stories, 'back again');
    const whole = await daemon.events();
    expect(findDoubleDispatches(whole)).toEqual([]);
    expect(whole.filter(({ type }) => unwanted.includes(type))).toEqual([]);
  },
  MOST_MS,
);

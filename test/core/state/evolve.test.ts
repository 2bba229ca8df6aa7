import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, type Event, type EventBody } from '../../../src/core/model/event.ts';
import { workerId } from '../../../src/core/model/ids.ts';
import { evolve, fold } from '../../../src/core/state/evolve.ts';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { emptySwarm, type Swarm } from '../../../src/core/state/state.ts';
import { hasEnded, isLive, lifecycleOf } from '../../../src/domain/lifecycle.ts';
import { assertProperty } from '../../support/property.ts';
import { histories, journalOf, troubledHistories } from './histories.ts';

const RUNS = { numRuns: 2_000 };

describe('the fold', () => {
  test('is the same from the beginning as from any snapshot on', () => {
    assertProperty(
      fc.property(histories, fc.nat(), (bodies, cut) => {
        const events = journalOf(bodies);
        const at = cut % (events.length + 1);
        const early = fromSnapshot(toSnapshot(fold(emptySwarm(), events.slice(0, at))));
        expect(early && fold(early, events.slice(at))).toEqual(fold(emptySwarm(), events));
      }),
      RUNS,
    );
  });

  test('moves nothing for events that were taken in before, however late they come again', () => {
    assertProperty(
      fc.property(troubledHistories, ({ clean, troubled }) => {
        expect(timeless(fold(emptySwarm(), journalOf(troubled)))).toEqual(
          timeless(fold(emptySwarm(), journalOf(clean))),
        );
      }),
      RUNS,
    );
  });

  test('a report that was heard in time and comes again in the next life is no late one', () => {
    const life = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;
    const place = { session: 's', version: 0, host: 'h' };
    const report: EventBody = { type: 'attempt.reported', ...life, report: 1, outcome: 'error', summary: '' };
    const bodies: EventBody[] = [
      { type: 'attempt.dispatched', ...life, ...place },
      report,
      { type: 'attempt.crashed', ...life, evidence: ['gone'] },
      { type: 'attempt.dispatched', ...life, attempt: 2, ...place },
    ];
    const late = (events: EventBody[]) =>
      fold(emptySwarm(), journalOf(events)).workers.get('a-1-plan')?.lateReports;
    expect(late([...bodies, report])).toEqual([]);
    expect(late([...bodies, { ...report, report: 2 }]), 'one that nobody has heard').toHaveLength(1);
  });

  test('has at most one live attempt of each issue and mode, whatever the order', () => {
    assertProperty(
      fc.property(histories, fc.array(fc.nat(), { maxLength: 120 }), (bodies, order) => {
        const shuffled = bodies.toSorted(
          (a, b) => (order[bodies.indexOf(a)] ?? 0) - (order[bodies.indexOf(b)] ?? 0),
        );
        everyMove(journalOf(shuffled), (before, after) => {
          if (before === undefined || before.attempt === after.attempt) return;
          expect(after.attempt).toBe(before.attempt + 1);
          expect(isLive(lifecycleOf(before.facts))).toBe(false);
        });
      }),
      RUNS,
    );
  });

  test('never brings an ended attempt back to life', () => {
    assertProperty(
      fc.property(troubledHistories, ({ troubled }) => {
        everyMove(journalOf(troubled), (before, after) => {
          if (before === undefined || before.attempt !== after.attempt) return;
          if (hasEnded(lifecycleOf(before.facts))) expect(hasEnded(lifecycleOf(after.facts))).toBe(true);
        });
      }),
      RUNS,
    );
  });

  test('moves no fact of the present attempt for an event of another one', () => {
    assertProperty(
      fc.property(histories, fc.integer({ min: -2, max: 3 }), (bodies, shift) => {
        const swarm = fold(emptySwarm(), journalOf(bodies));
        for (const body of bodies) {
          if (shift === 0 || !('attempt' in body) || body.type === 'attempt.dispatched') continue;
          const worker = swarm.workers.get(workerId(body.issue, body.mode));
          const attempt = (worker?.attempt ?? 0) + shift;
          if (worker === undefined || attempt < 1) continue;
          evolve(swarm, stamped({ ...body, attempt }, swarm));
          expect(swarm.workers.get(workerId(body.issue, body.mode))?.facts).toBe(worker.facts);
        }
      }),
      RUNS,
    );
  });

  test('counts the open intents of each issue', () => {
    assertProperty(
      fc.property(histories, (bodies) => {
        const swarm = fold(emptySwarm(), journalOf(bodies));
        const open = [...swarm.issues.values()].reduce((sum, { openIntents }) => sum + openIntents, 0);
        expect(open).toBe(swarm.intents.size);
      }),
      RUNS,
    );
  });

  test('the random journals hold every type of event but the election', () => {
    const seen = new Set<string>();
    assertProperty(
      fc.property(histories, (bodies) => {
        for (const { type } of bodies) seen.add(type);
      }),
      RUNS,
    );
    expect([...seen, 'leader.elected'].sort()).toEqual([...EVENT_TYPES].sort());
  });
});

describe('one event', () => {
  const begun: EventBody[] = [
    {
      type: 'attempt.dispatched',
      issue: 'A-1',
      mode: 'plan',
      attempt: 1,
      session: 's',
      version: 0,
      host: 'h',
    },
    { type: 'attempt.active', issue: 'A-1', mode: 'plan', attempt: 1 },
  ];
  const life = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

  test('of an old leader moves nothing', () => {
    const swarm = fold(emptySwarm(), journalOf(begun));
    evolve(swarm, { ...stamped({ type: 'leader.elected', leader: 'b' }, swarm), epoch: 2 });
    evolve(swarm, { ...stamped({ type: 'attempt.crashed', ...life, evidence: [] }, swarm), epoch: 1 });
    expect(lifecycleOf(planner(swarm).facts)).toBe('executing');
    expect(swarm).toMatchObject({ leader: 'b', epoch: 2, ignored: 1 });
  });

  test('a second attempt does not begin while the first one works', () => {
    const second: EventBody = {
      ...{ type: 'attempt.dispatched', ...life, session: 's', version: 0, host: 'h' },
      attempt: 2,
    };
    expect(planner(fold(emptySwarm(), journalOf([...begun, second]))).attempt).toBe(1);
  });

  test('two observers of one death count one crash', () => {
    const crash: EventBody = { type: 'attempt.crashed', ...life, evidence: ['process gone'] };
    expect(planner(fold(emptySwarm(), journalOf([...begun, crash, crash]))).failedLives).toHaveLength(1);
  });

  test('a pause that comes again after a person let the worker go on pauses nobody', () => {
    const crash: EventBody = { type: 'attempt.crashed', ...life, evidence: ['process gone'] };
    const pause: EventBody = { type: 'attempt.paused', ...life, evidence: [] };
    const goOn: EventBody = { type: 'crashes.reset', issue: 'A-1', mode: 'plan', generation: 1, by: 'ada' };
    const paused = planner(fold(emptySwarm(), journalOf([...begun, crash, pause])));
    expect(lifecycleOf(paused.facts)).toBe('paused');
    const again = planner(fold(emptySwarm(), journalOf([...begun, crash, pause, goOn, pause])));
    expect(again.facts).not.toHaveProperty('pausedAt');
  });

  test('a report after a kill is kept for judging and moves nothing', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.crashed', ...life, evidence: ['silent'] },
      { type: 'attempt.reported', ...life, report: 1, outcome: 'done', summary: '' },
    ];
    const worker = planner(fold(emptySwarm(), journalOf(bodies)));
    expect(lifecycleOf(worker.facts)).toBe('crashed');
    expect(worker.lateReports).toMatchObject([{ attempt: 1, report: 1, outcome: 'done' }]);
  });

  test('a refused report lets the same attempt report again', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.reported', ...life, report: 1, outcome: 'done', summary: '' },
      { type: 'attempt.report_refused', ...life, report: 1, missing: 'the plan' },
      { type: 'attempt.reported', ...life, report: 2, outcome: 'done', summary: '' },
      { type: 'attempt.report_accepted', ...life, report: 2 },
    ];
    expect(lifecycleOf(planner(fold(emptySwarm(), journalOf(bodies))).facts)).toBe('finished');
  });

  test('an accepted error ends the attempt without finishing the phase', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.reported', ...life, report: 1, outcome: 'error', summary: 'no access' },
      { type: 'attempt.report_accepted', ...life, report: 1 },
    ];
    const worker = planner(fold(emptySwarm(), journalOf(bodies)));
    expect(lifecycleOf(worker.facts)).toBe('stopped');
    expect(worker.failedLives).toHaveLength(1);
  });

  test('attempt numbers go on after pruning, so an old token never fits again', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.stopped', ...life, why: 'done' },
      { type: 'labels.owed', issue: 'A-1', revision: 1, add: [], remove: [] },
      { type: 'issue.pruned', issue: 'A-1', prune: 1 },
      {
        type: 'attempt.dispatched',
        issue: 'A-1',
        mode: 'plan',
        attempt: 1,
        session: 's',
        version: 0,
        host: 'h',
      },
    ];
    const swarm = fold(emptySwarm(), journalOf(bodies));
    expect(planner(swarm).attempt).toBe(1);
    expect(lifecycleOf(planner(swarm).facts)).toBe('stopped');
  });
});

test('the sets of present and failing workers follow from their records', () => {
  fc.assert(
    fc.property(troubledHistories, ({ troubled }) => {
      const swarm = fold(emptySwarm(), journalOf(troubled));
      const restored = fromSnapshot(toSnapshot(swarm));
      for (const { workers, present, failing } of [swarm, restored ?? emptySwarm()]) {
        const having = (is: (worker: WorkerRecord) => boolean) =>
          [...workers].filter(([, worker]) => is(worker)).map(([id]) => id);
        expect([...present].sort()).toEqual(having(isPresent).sort());
        expect([...failing].sort()).toEqual(having(({ failedLives }) => failedLives.length > 0).sort());
      }
    }),
    RUNS,
  );

  function isPresent({ facts, process, exit, zombie }: WorkerRecord): boolean {
    return !hasEnded(lifecycleOf(facts)) || (process !== undefined && exit === undefined && zombie !== true);
  }
});

describe('a snapshot', () => {
  test.each([
    ['of another shape', { version: 0, shape: 99, state: toSnapshot(emptySwarm()).state }],
    ['that is torn', { version: 0, shape: 1, state: toSnapshot(emptySwarm()).state.slice(0, 40) }],
    ['of another version than it says', { version: 5, shape: 1, state: toSnapshot(emptySwarm()).state }],
    ['that is something else', { version: 0, shape: 1, state: '[1]' }],
  ])('%s is not used', (_, snapshot) => {
    expect(fromSnapshot(snapshot)).toBeUndefined();
  });
});

/** Times tell when an event was first taken in, and repetitions shift all later ones. */
function timeless(swarm: Swarm): unknown {
  const text = JSON.stringify({ ...swarm, version: 0, ignored: 0, ...maps(swarm) }, (name, value) =>
    /(At|^at|since|wallMs)$/.test(name) ? undefined : value,
  );
  return JSON.parse(text);
}

function maps({ issues, workers, intents, messages }: Swarm) {
  return { issues: [...issues], workers: [...workers], intents: [...intents], messages: [...messages] };
}

type WorkerRecord = NonNullable<ReturnType<Swarm['workers']['get']>>;

function everyMove(
  events: readonly Event[],
  check: (before: WorkerRecord | undefined, after: WorkerRecord) => void,
): void {
  const swarm = emptySwarm();
  for (const event of events) {
    const before = new Map(swarm.workers);
    evolve(swarm, event);
    for (const [id, after] of swarm.workers) if (before.get(id) !== after) check(before.get(id), after);
  }
}

function stamped(body: EventBody, swarm: Swarm): Event {
  return { ...body, seq: swarm.version + 1, at: 1, epoch: swarm.epoch };
}

function planner(swarm: Swarm): WorkerRecord {
  const worker = swarm.workers.get('a-1-plan');
  if (worker === undefined) throw new Error('no planner in the state');
  return worker;
}

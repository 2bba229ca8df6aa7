import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, type Event, type EventBody } from '../../../src/core/model/event.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { hasEnded, isLive, toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { evolve, foldEvents } from '../../../src/core/state/evolve.ts';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';
import { assertProperty } from '../../support/property.ts';
import { histories, journalOf, troubledHistories } from './histories.ts';

const RUNS = { numRuns: 2_000 };

describe('folding events', () => {
  test('gives the same state whether the fold starts at the beginning or at any snapshot', () => {
    assertProperty(
      fc.property(histories, fc.nat(), (bodies, cut) => {
        const events = journalOf(bodies);
        const at = cut % (events.length + 1);
        const early = fromSnapshot(toSnapshot(foldEvents(createLegionState(), events.slice(0, at))));
        expect(early && foldEvents(early, events.slice(at))).toEqual(foldEvents(createLegionState(), events));
      }),
      RUNS,
    );
  });

  test('ignores repeated events, however late they arrive', () => {
    assertProperty(
      fc.property(troubledHistories, ({ clean, troubled }) => {
        expect(timeless(foldEvents(createLegionState(), journalOf(troubled)))).toEqual(
          timeless(foldEvents(createLegionState(), journalOf(clean))),
        );
      }),
      RUNS,
    );
  });

  test('does not treat a repeated report of the previous attempt as late if that attempt first sent it in time', () => {
    const identity = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;
    const place = { session: 's', version: 0, host: 'h' };
    const report: EventBody = {
      type: 'attempt.reported',
      ...identity,
      report: 1,
      outcome: 'error',
      summary: '',
    };
    const bodies: EventBody[] = [
      { type: 'attempt.dispatched', ...identity, ...place },
      report,
      { type: 'attempt.crashed', ...identity, evidence: ['gone'] },
      { type: 'attempt.dispatched', ...identity, attempt: 2, ...place },
    ];
    const late = (events: EventBody[]) =>
      foldEvents(createLegionState(), journalOf(events)).workers.get('a-1-plan')?.lateReports;
    expect(late([...bodies, report])).toEqual([]);
    expect(late([...bodies, { ...report, report: 2 }]), 'a report that was never received').toHaveLength(1);
  });

  test('keeps at most one live attempt per issue and mode, whatever the order of events', () => {
    assertProperty(
      fc.property(histories, fc.array(fc.nat(), { maxLength: 120 }), (bodies, order) => {
        const shuffled = bodies.toSorted(
          (a, b) => (order[bodies.indexOf(a)] ?? 0) - (order[bodies.indexOf(b)] ?? 0),
        );
        everyMove(journalOf(shuffled), (before, after) => {
          if (before === undefined || before.attempt === after.attempt) return;
          expect(after.attempt).toBe(before.attempt + 1);
          expect(isLive(toLifecycleState(before.facts))).toBe(false);
        });
      }),
      RUNS,
    );
  });

  test('never revives an ended attempt', () => {
    assertProperty(
      fc.property(troubledHistories, ({ troubled }) => {
        everyMove(journalOf(troubled), (before, after) => {
          if (before === undefined || before.attempt !== after.attempt) return;
          if (hasEnded(toLifecycleState(before.facts)))
            expect(hasEnded(toLifecycleState(after.facts))).toBe(true);
        });
      }),
      RUNS,
    );
  });

  test('does not change the current attempt if the event belongs to another attempt', () => {
    assertProperty(
      fc.property(histories, fc.integer({ min: -2, max: 3 }), (bodies, shift) => {
        const state = foldEvents(createLegionState(), journalOf(bodies));
        for (const body of bodies) {
          if (shift === 0 || !('attempt' in body) || body.type === 'attempt.dispatched') continue;
          const worker = state.workers.get(toWorkerId(body.issue, body.mode));
          const attempt = (worker?.attempt ?? 0) + shift;
          if (worker === undefined || attempt < 1) continue;
          evolve(state, stamped({ ...body, attempt }, state));
          expect(state.workers.get(toWorkerId(body.issue, body.mode))?.facts).toBe(worker.facts);
        }
      }),
      RUNS,
    );
  });

  test('counts the open intents of each issue', () => {
    assertProperty(
      fc.property(histories, (bodies) => {
        const state = foldEvents(createLegionState(), journalOf(bodies));
        const open = [...state.issues.values()].reduce((sum, { openIntents }) => sum + openIntents, 0);
        expect(open).toBe(state.intents.size);
      }),
      RUNS,
    );
  });

  test('is tested with random journals that contain every event type except the election', () => {
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

describe('folding individual events', () => {
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
  const identity = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

  test('ignores an event of an old leader', () => {
    const state = foldEvents(createLegionState(), journalOf(begun));
    evolve(state, { ...stamped({ type: 'leader.elected', leader: 'b' }, state), epoch: 2 });
    evolve(state, { ...stamped({ type: 'attempt.crashed', ...identity, evidence: [] }, state), epoch: 1 });
    expect(toLifecycleState(planner(state).facts)).toBe('executing');
    expect(state).toMatchObject({ leader: 'b', epoch: 2, ignored: 1 });
  });

  test('does not start a second attempt while the first one is live', () => {
    const second: EventBody = {
      type: 'attempt.dispatched',
      ...identity,
      session: 's',
      version: 0,
      host: 'h',
      attempt: 2,
    };
    expect(planner(foldEvents(createLegionState(), journalOf([...begun, second]))).attempt).toBe(1);
  });

  test('counts one crash if two observers report it', () => {
    const crash: EventBody = { type: 'attempt.crashed', ...identity, evidence: ['process gone'] };
    expect(
      planner(foldEvents(createLegionState(), journalOf([...begun, crash, crash]))).failedLives,
    ).toHaveLength(1);
  });

  test('ignores a repeated pause after a person resumed the worker', () => {
    const crash: EventBody = { type: 'attempt.crashed', ...identity, evidence: ['process gone'] };
    const pause: EventBody = { type: 'attempt.paused', ...identity, evidence: [] };
    const goOn: EventBody = { type: 'crashes.reset', issue: 'A-1', mode: 'plan', generation: 1, by: 'ada' };
    const paused = planner(foldEvents(createLegionState(), journalOf([...begun, crash, pause])));
    expect(toLifecycleState(paused.facts)).toBe('paused');
    const again = planner(foldEvents(createLegionState(), journalOf([...begun, crash, pause, goOn, pause])));
    expect(again.facts).not.toHaveProperty('pausedAt');
  });

  test('keeps a report that arrives after a kill as evidence, without changing the state', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.crashed', ...identity, evidence: ['silent'] },
      { type: 'attempt.reported', ...identity, report: 1, outcome: 'done', summary: '' },
    ];
    const worker = planner(foldEvents(createLegionState(), journalOf(bodies)));
    expect(toLifecycleState(worker.facts)).toBe('crashed');
    expect(worker.lateReports).toMatchObject([{ attempt: 1, report: 1, outcome: 'done' }]);
  });

  test('lets the same attempt report again after a refused report', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.reported', ...identity, report: 1, outcome: 'done', summary: '' },
      { type: 'attempt.report_refused', ...identity, report: 1, missing: 'the plan' },
      { type: 'attempt.reported', ...identity, report: 2, outcome: 'done', summary: '' },
      { type: 'attempt.report_accepted', ...identity, report: 2 },
    ];
    expect(toLifecycleState(planner(foldEvents(createLegionState(), journalOf(bodies))).facts)).toBe(
      'finished',
    );
  });

  test('ends the attempt but not the phase when a reported error is accepted', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.reported', ...identity, report: 1, outcome: 'error', summary: 'no access' },
      { type: 'attempt.report_accepted', ...identity, report: 1 },
    ];
    const worker = planner(foldEvents(createLegionState(), journalOf(bodies)));
    expect(toLifecycleState(worker.facts)).toBe('stopped');
    expect(worker.failedLives).toHaveLength(1);
  });

  test('continues attempt numbers after pruning, so that an old token is never valid again', () => {
    const bodies: EventBody[] = [
      ...begun,
      { type: 'attempt.stopped', ...identity, why: 'done' },
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
    const state = foldEvents(createLegionState(), journalOf(bodies));
    expect(planner(state).attempt).toBe(1);
    expect(toLifecycleState(planner(state).facts)).toBe('stopped');
  });
});

test('the sets of present and failing workers match the worker records', () => {
  fc.assert(
    fc.property(troubledHistories, ({ troubled }) => {
      const state = foldEvents(createLegionState(), journalOf(troubled));
      const restored = fromSnapshot(toSnapshot(state));
      for (const { workers, present, failing } of [state, restored ?? createLegionState()]) {
        const having = (is: (worker: WorkerRecord) => boolean) =>
          [...workers].filter(([, worker]) => is(worker)).map(([id]) => id);
        expect([...present].sort()).toEqual(having(isPresent).sort());
        expect([...failing].sort()).toEqual(having(({ failedLives }) => failedLives.length > 0).sort());
      }
    }),
    RUNS,
  );

  function isPresent({ facts, process, exit, zombie }: WorkerRecord): boolean {
    return (
      !hasEnded(toLifecycleState(facts)) || (process !== undefined && exit === undefined && zombie !== true)
    );
  }
});

describe('a snapshot', () => {
  test.each([
    ['with another shape', { version: 0, shape: 99, state: toSnapshot(createLegionState()).state }],
    [
      'that is truncated',
      { version: 0, shape: 1, state: toSnapshot(createLegionState()).state.slice(0, 40) },
    ],
    [
      'with a version that does not match',
      { version: 5, shape: 1, state: toSnapshot(createLegionState()).state },
    ],
    ['with JSON that is not a state', { version: 0, shape: 1, state: '[1]' }],
  ])('%s is ignored', (_, snapshot) => {
    expect(fromSnapshot(snapshot)).toBeUndefined();
  });
});

/**
 * Removes times from a state: they depend on when an event was first applied, and every repeated
 * event shifts all later times.
 */
function timeless(state: LegionState): unknown {
  const text = JSON.stringify({ ...state, version: 0, ignored: 0, ...maps(state) }, (name, value) =>
    /(At|^at|since|wallMs)$/.test(name) ? undefined : value,
  );
  return JSON.parse(text);
}

function maps({ issues, workers, intents, messages }: LegionState) {
  return { issues: [...issues], workers: [...workers], intents: [...intents], messages: [...messages] };
}

type WorkerRecord = NonNullable<ReturnType<LegionState['workers']['get']>>;

function everyMove(
  events: readonly Event[],
  check: (before: WorkerRecord | undefined, after: WorkerRecord) => void,
): void {
  const state = createLegionState();
  for (const event of events) {
    const before = new Map(state.workers);
    evolve(state, event);
    for (const [id, after] of state.workers) if (before.get(id) !== after) check(before.get(id), after);
  }
}

function stamped(body: EventBody, state: LegionState): Event {
  return { ...body, seq: state.version + 1, at: 1, epoch: state.epoch };
}

function planner(state: LegionState): WorkerRecord {
  const worker = state.workers.get('a-1-plan');
  if (worker === undefined) throw new Error('no planner in the state');
  return worker;
}

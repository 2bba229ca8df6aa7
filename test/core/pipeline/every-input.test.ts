import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTIONS, type Action, kindOf } from '../../../src/core/model/action.ts';
import type { Signals } from '../../../src/core/model/signals.ts';
import type { SeenStatus } from '../../../src/core/model/status.ts';
import { effectsOf } from '../../../src/core/pipeline/effects.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/pipeline/policy.ts';
import { REASONS } from '../../../src/core/pipeline/reasons.ts';
import type { Decision } from '../../../src/domain/decision.ts';
import { LABELS } from '../../../src/domain/label.ts';
import { LIFECYCLE_STATES, type LifecycleState } from '../../../src/domain/lifecycle.ts';
import { MODES } from '../../../src/domain/mode.ts';
import { decide } from '../../../src/pipeline/decide.ts';
import { preMergeGate } from '../../../src/pipeline/gates/pre-merge.ts';
import { assertProperty } from '../../support/property.ts';
import { type Choose, explore } from './explore.ts';
import { chosenPolicy, chosenSignals, signals } from './inputs.ts';

/** Where each move may begin. A status that is not here can never be left by that move. */
const MOVES: Readonly<Partial<Record<Action, readonly SeenStatus[]>>> = {
  transition_to_icebox: ['Triage'],
  transition_to_backlog: ['Triage', 'Icebox'],
  transition_to_todo: ['Triage', 'Backlog', 'Todo'],
  transition_to_in_progress: ['Todo'],
  transition_to_testing: ['In Progress', 'Retro'],
  transition_to_needs_review: ['Testing', 'Retro'],
  transition_to_retro: ['Needs Review'],
};

/** Starts of workers that can do nothing without a pull request. */
const JUDGING: ReadonlySet<Action> = new Set<Action>([
  'dispatch_tester',
  'dispatch_reviewer',
  'dispatch_implementer_for_retro',
  'resume_implementer_for_retro',
  'dispatch_merger',
]);

const FIXED_MODES: ReadonlyMap<string, string> = new Map([
  ['architect', 'architect'],
  ['planner', 'plan'],
  ['implementer', 'implement'],
  ['tester', 'test'],
  ['reviewer', 'review'],
  ['merger', 'merge'],
]);

/** The search takes about 3 s alone on a core; a busy machine gets many times that. */
const SEARCH_TIMEOUT_MS = 120_000;

describe('every input of the decision', () => {
  test('yields one decision that keeps every rule, twice the same', { timeout: SEARCH_TIMEOUT_MS }, () => {
    const seen = new Set<Action>();
    const { covered, inputs } = explore((choose) => {
      const [situation, policy] = [chosenSignals(choose), chosenPolicy(choose)];
      const decision = decide(situation, policy);
      seen.add(decision.action);
      const broken = brokenRules(decision, situation, policy);
      if (broken.length > 0) expect(broken, describeDecision(decision)).toEqual([]);
    });
    expect([...seen].sort()).toEqual([...ACTIONS].sort());
    expect(covered).toBeCloseTo(1, 9);
    expect(inputs).toBeGreaterThan(1e9);
  });

  test('random complete inputs keep the same rules', () => {
    const indices = fc.infiniteStream(fc.nat({ max: 1_000_000 }));
    assertProperty(
      fc.property(indices, (stream) => {
        const made = new Map<string, unknown>();
        const choose: Choose = (name, options) => {
          if (!made.has(name)) made.set(name, options[stream.next().value % options.length]);
          return made.get(name) as never;
        };
        const [situation, policy] = [chosenSignals(choose), chosenPolicy(choose)];
        expect(brokenRules(decide(situation, policy), situation, policy)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('workers matter only by who holds a place and whether planner, implementer and merger were there', () => {
    const states: (LifecycleState | undefined)[] = [undefined, ...LIFECYCLE_STATES];
    const outcome = new Map<string, string>();
    for (let picture = 0; picture < states.length ** MODES.length; picture += 7) {
      const workers = pictureOf(picture, states);
      const held = Object.values(workers);
      const live = held.some(
        (state) => state === 'spawned' || state === 'executing' || state === 'reporting',
      );
      const waiting =
        held.findLast((state) => state === 'waiting-user' || state === 'waiting-quota') ?? 'none';
      const key = [
        live ? 'live' : waiting,
        workers.plan === 'finished',
        workers.implement === undefined,
        workers.merge === 'finished',
      ].join();
      const decided = (['Todo', 'Testing', 'Retro'] as const)
        .map(
          (status) => decide(signals({ status, workers, labels: ['worker-active'] }), DEFAULT_POLICY).action,
        )
        .join();
      expect(outcome.get(key) ?? decided).toBe(decided);
      outcome.set(key, decided);
    }
    expect(outcome.size).toBeGreaterThan(16);
  });
});

/** Names of the rules this decision breaks; the whole point is that there are never any. */
function brokenRules(decision: Decision, situation: Signals, policy: Policy): string[] {
  const effects = effectsOf(decision, situation);
  const { action, mode } = decision;
  const kind = kindOf(action);
  const rules: [string, boolean][] = [
    ['the action is known', ACTIONS.includes(action)],
    ['the mode is known', MODES.includes(mode)],
    ['the mode is the one its name says', modeFitsName(action, mode)],
    ['the reason is known', Object.hasOwn(REASONS, decision.reason)],
    ['there is evidence', decision.evidence.length > 0],
    ['something ends the state', decision.until.what.length > 0],
    ['deciding again decides the same', same(decide(situation, policy), decision)],
    ['no dispatch while blocked', kind !== 'dispatch' || situation.blockers.length === 0],
    ['a move begins where it may', kind !== 'transition' || moveIsAllowed(decision, situation)],
    ['no worker judges work that does not exist', !JUDGING.has(action) || situation.pullRequest !== 'none'],
    ['no merger without every gate', action !== 'dispatch_merger' || mayMerge(situation, policy)],
    [
      'only listed labels are written',
      [...effects.add, ...effects.remove].every((label) => LABELS.includes(label)),
    ],
    ['no label is added and removed at once', effects.add.every((label) => !effects.remove.includes(label))],
    ['nothing is done for a closed issue', !isOver(situation.status) || kind === 'skip'],
    ['a person who was asked is waited for', !waitsForPerson(situation) || kind === 'skip'],
    ['only dispatch, resume, relay and investigate spawn', effects.spawn === undefined || SPAWNING.has(kind)],
    ['the spawned worker has the decided mode', effects.spawn === undefined || effects.spawn.mode === mode],
  ];
  return rules.filter(([, kept]) => !kept).map(([name]) => name);
}

const SPAWNING = new Set(['dispatch', 'resume', 'relay', 'investigate']);

function modeFitsName(action: Action, mode: string): boolean {
  const [, who] = /^(?:dispatch|resume)_([a-z]+)/.exec(action) ?? [];
  return who === undefined || FIXED_MODES.get(who) === mode;
}

function moveIsAllowed({ action, reason }: Decision, situation: Signals): boolean {
  if (reason === 'nothing_to_judge') {
    return (
      action === 'transition_to_in_progress' &&
      ['Testing', 'Needs Review', 'Retro'].includes(situation.status) &&
      situation.pullRequest === 'none'
    );
  }
  if (action === 'transition_to_done') {
    return (
      situation.children === 'all_done' ||
      (situation.status === 'Retro' &&
        typeof situation.pullRequest === 'object' &&
        situation.pullRequest.state === 'merged')
    );
  }
  const forward =
    situation.status !== 'Triage' && situation.status !== 'Icebox' && situation.status !== 'Retro';
  const finished =
    situation.labels.has('worker-done') || situation.labels.has('human-approved') || planApproved(situation);
  return (MOVES[action]?.includes(situation.status) ?? false) && (!forward || finished);
}

/** A finished plan that was approved goes on, even if the architect was lost before it reported. */
function planApproved({ status, workers, labels }: Signals): boolean {
  return status === 'Todo' && workers.plan === 'finished' && labels.has('arch-review-approved');
}

function mayMerge(situation: Signals, policy: Policy): boolean {
  const gate = preMergeGate(situation, policy);
  const passed = gate.length === 8 && gate.every(({ verdict }) => verdict === 'pass');
  return passed && (situation.labels.has('human-approved') || situation.autoMerge === 'pass');
}

function isOver(status: SeenStatus): boolean {
  return status === 'Done' || status === 'terminal' || status === 'unknown';
}

function waitsForPerson({ status, labels }: Signals): boolean {
  const asked = labels.has('user-input-needed');
  return (
    !isOver(status) &&
    ((asked && !labels.has('user-feedback-given')) || (!asked && labels.has('legion-paused')))
  );
}

function same(a: Decision, b: Decision): boolean {
  return (
    a.action === b.action &&
    a.mode === b.mode &&
    a.reason === b.reason &&
    a.evidence.join() === b.evidence.join()
  );
}

function describeDecision(decision: Decision): string {
  return `${decision.action} because ${decision.reason}: ${decision.evidence.join(', ')}`;
}

function pictureOf(picture: number, states: readonly (LifecycleState | undefined)[]): Signals['workers'] {
  const workers: Partial<Record<string, LifecycleState>> = {};
  let rest = picture;
  for (const mode of MODES) {
    const state = states[rest % states.length];
    if (state !== undefined) workers[mode] = state;
    rest = Math.floor(rest / states.length);
  }
  return workers;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTIONS, type Action, type Decision, getActionKind } from '../../../src/core/model/action.ts';
import { LABELS } from '../../../src/core/model/label.ts';
import { LIFECYCLE_STATES, type LifecycleState } from '../../../src/core/model/lifecycle.ts';
import { MODES } from '../../../src/core/model/mode.ts';
import type { IssueSignals } from '../../../src/core/model/signals.ts';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { computeEffects } from '../../../src/core/pipeline/effects.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../src/core/pipeline/policy.ts';
import { checkPreMergeGate } from '../../../src/core/pipeline/pre-merge.ts';
import { REASONS } from '../../../src/core/pipeline/reasons.ts';
import { assertProperty } from '../../support/property.ts';
import { type Choose, explore } from './explore.ts';
import { chosenPolicy, chosenSignals, signals } from './inputs.ts';

/** Statuses from which each move may start. A move must never start from any other status. */
const MOVES: Readonly<Partial<Record<Action, readonly ObservedStatus[]>>> = {
  transition_to_icebox: ['Triage'],
  transition_to_backlog: ['Triage', 'Icebox'],
  transition_to_todo: ['Triage', 'Backlog', 'Todo'],
  transition_to_in_progress: ['Todo'],
  transition_to_testing: ['In Progress', 'Retro'],
  transition_to_needs_review: ['Testing', 'Retro'],
  transition_to_retro: ['Needs Review'],
};

/** Actions that start workers for which a pull request must exist. */
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

/** The search takes about 3 s on an idle core. The timeout allows far more for a busy machine. */
const SEARCH_TIMEOUT_MS = 120_000;

describe('every decision input', () => {
  test('yields one deterministic decision that follows every rule', { timeout: SEARCH_TIMEOUT_MS }, () => {
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

  test('yields a decision that follows the same rules if every part of the input is random', () => {
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

  test('yields a decision that depends on only four facts about workers: which one occupies a slot, and whether planner, implementer and merger have run', () => {
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

/** Returns the names of the rules that this decision breaks. The tests expect an empty list. */
function brokenRules(decision: Decision, situation: IssueSignals, policy: PipelinePolicy): string[] {
  const effects = computeEffects(decision, situation);
  const { action, mode } = decision;
  const kind = getActionKind(action);
  const rules: [string, boolean][] = [
    ['the action is known', ACTIONS.includes(action)],
    ['the mode is known', MODES.includes(mode)],
    ['the mode matches the action’s name', modeFitsName(action, mode)],
    ['the reason is known', Object.hasOwn(REASONS, decision.reason)],
    ['there is evidence', decision.evidence.length > 0],
    ['the state has an end condition', decision.until.what.length > 0],
    ['deciding again gives the same result', same(decide(situation, policy), decision)],
    ['no dispatch while blocked', kind !== 'dispatch' || situation.blockers.length === 0],
    ['a move starts from an allowed status', kind !== 'transition' || moveIsAllowed(decision, situation)],
    ['no worker judges work that does not exist', !JUDGING.has(action) || situation.pullRequest !== 'none'],
    [
      'no merger starts unless every gate passes',
      action !== 'dispatch_merger' || mayMerge(situation, policy),
    ],
    [
      'only listed labels are written',
      [...effects.add, ...effects.remove].every((label) => LABELS.includes(label)),
    ],
    ['no label is added and removed at once', effects.add.every((label) => !effects.remove.includes(label))],
    [
      'nothing is done for a closed issue, and only an answer is relayed in an unknown column',
      !isOver(situation.status) || kind === 'skip' || (situation.status === 'unknown' && kind === 'relay'),
    ],
    ['nothing happens while a person’s answer is pending', !waitsForPerson(situation) || kind === 'skip'],
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

function moveIsAllowed({ action, reason }: Decision, situation: IssueSignals): boolean {
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

/**
 * Returns whether the plan is finished and approved. Such an issue advances even if the architect
 * was lost before reporting.
 */
function planApproved({ status, workers, labels }: IssueSignals): boolean {
  return status === 'Todo' && workers.plan === 'finished' && labels.has('arch-review-approved');
}

function mayMerge(situation: IssueSignals, policy: PipelinePolicy): boolean {
  const gate = checkPreMergeGate(situation, policy);
  const passed = gate.length === 8 && gate.every(({ verdict }) => verdict === 'pass');
  return passed && (situation.labels.has('human-approved') || situation.autoMerge === 'pass');
}

function isOver(status: ObservedStatus): boolean {
  return status === 'Done' || status === 'terminal' || status === 'unknown';
}

function waitsForPerson({ status, labels, rejected }: IssueSignals): boolean {
  const asked = labels.has('user-input-needed');
  return (
    !isOver(status) &&
    ((asked && rejected === undefined && !labels.has('user-feedback-given')) ||
      (!asked && labels.has('legion-paused')))
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

function pictureOf(
  picture: number,
  states: readonly (LifecycleState | undefined)[],
): IssueSignals['workers'] {
  const workers: Partial<Record<string, LifecycleState>> = {};
  let rest = picture;
  for (const mode of MODES) {
    const state = states[rest % states.length];
    if (state !== undefined) workers[mode] = state;
    rest = Math.floor(rest / states.length);
  }
  return workers;
}

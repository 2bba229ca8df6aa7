/**
 * Forces an issue to a stage that is not due, on an operator's request: moves it to a status, or
 * starts the worker of a phase. The journal records who did so. The merge gate still applies.
 */
import type { Action } from '../../../core/model/action.ts';
import type { Command, SpawnPurpose } from '../../../core/model/command.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import type { LabelChange } from '../../../core/model/label.ts';
import { getPhaseMode, type Mode, PHASES, type Phase } from '../../../core/model/mode.ts';
import type { Status } from '../../../core/model/status.ts';
import { computeEffects } from '../../../core/pipeline/effects.ts';
import { createDecision } from '../../../core/pipeline/situation.ts';
import type { IssueEvaluation } from '../../../core/state/evaluate.ts';
import { computeNextSessionVersion } from '../../../core/state/next-attempt.ts';
import { createIssueRecord } from '../../../core/state/state.ts';
import type { AdvanceAnswer, AdvanceRequest, Stage } from '../../../protocol/operator.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import { evaluateNow } from '../../context/evaluator.ts';
import type { LoopControl } from '../../loop/control.ts';
import { describeCommand } from '../../present/event.ts';
import { toDecisionView } from '../../present/reason.ts';
import { readWithLimit } from '../read-outside.ts';
import {
  refusePausedIssue,
  refuseWhileTaken,
  refuseWithoutRoom,
  startOutOfTurn,
} from '../workers/may-start.ts';
import { buildOverruleEvents } from './relabel.ts';

type StageStatus = Exclude<Status, 'Triage'>;

/** The status in which a phase's worker works. */
const PHASE_STATUSES: Readonly<Record<Phase, StageStatus>> = {
  architect: 'Backlog',
  plan: 'Todo',
  implement: 'In Progress',
  test: 'Testing',
  review: 'Needs Review',
  retro: 'Retro',
  merge: 'Retro',
};

const TRANSITIONS = {
  Icebox: 'transition_to_icebox',
  Backlog: 'transition_to_backlog',
  Todo: 'transition_to_todo',
  'In Progress': 'transition_to_in_progress',
  Testing: 'transition_to_testing',
  'Needs Review': 'transition_to_needs_review',
  Retro: 'transition_to_retro',
  Done: 'transition_to_done',
} as const satisfies Record<StageStatus, Action>;

const STARTS = {
  architect: 'dispatch_architect',
  plan: 'dispatch_planner',
  implement: 'dispatch_implementer',
  test: 'dispatch_tester',
  review: 'dispatch_reviewer',
  retro: 'dispatch_implementer_for_retro',
  merge: 'dispatch_merger',
} as const satisfies Record<Phase, Action>;

/** Everything that forcing the stage writes and starts. */
interface ForcedStep {
  readonly action: Action;
  readonly mode: Mode;
  readonly status: StageStatus;
  readonly moveTo: StageStatus | undefined;
  readonly labels: LabelChange;
  readonly purpose: SpawnPurpose | undefined;
}

export async function forceStage(
  context: DaemonContext,
  control: LoopControl,
  { issue, dryRun, by }: AdvanceRequest,
  stage: Stage,
  due: AdvanceAnswer['decisions'],
): Promise<AdvanceAnswer> {
  const evaluation = await evaluateNow(context, issue, readWithLimit);
  const step = planForcedStep(evaluation, stage);
  const { mode, purpose, moveTo, labels } = step;
  const { state } = context.ledger;
  refuseWhileTaken(state, issue, mode);
  refusePausedIssue(state, issue, evaluation.seen.issue.labels);
  if (!dryRun) {
    if (purpose !== undefined) await refuseWithoutRoom(context, issue, mode);
    await recordForcedStep(context, issue, step, by, due);
    const text = `${by} forced this issue to the stage ${stage}.`;
    await context.tracker.comment(issue, `${issue}:stage:${context.ledger.version}`, text);
    await context.tracker.write(issue, moveTo === undefined ? { labels } : { moveTo, labels });
    context.boardView.recordWrite(issue, labels);
    if (purpose !== undefined) {
      const version = computeNextSessionVersion(state.workers.get(toWorkerId(issue, mode)));
      await startOutOfTurn(context, control, { issue, mode, purpose, version }, () => []);
    }
    context.wake(issue);
  }
  const decision = createDecision(evaluation.signals, step.action, 'forced', `by=${by}`);
  return {
    issue,
    dryRun,
    advanced: !dryRun,
    says: `${issue} ${dryRun ? 'would be' : 'was'} forced to the stage ${stage}.`,
    decisions: [toDecisionView({ ...decision, mode })],
    commands: listCommands(context, issue, step).map(describeCommand),
    status: step.status,
  };
}

function planForcedStep({ seen, signals }: IssueEvaluation, stage: Stage): ForcedStep {
  const phase = PHASES.find((each) => each === stage);
  const status = phase === undefined ? (stage as StageStatus) : PHASE_STATUSES[phase];
  const moves = seen.status !== status;
  const transition = createDecision(signals, TRANSITIONS[status], 'forced');
  const action = phase === undefined ? TRANSITIONS[status] : STARTS[phase];
  const decision = createDecision(signals, action, 'forced');
  // The start itself adds its labels, so only the labels to be removed are written here.
  const removed = [transition, decision].flatMap((each) => computeEffects(each, signals).remove);
  return {
    action,
    mode: phase === undefined ? decision.mode : getPhaseMode(phase),
    status,
    moveTo: moves ? status : undefined,
    labels: { add: [], remove: [...new Set(removed)] },
    purpose: phase === undefined ? undefined : phase === 'retro' ? 'retro' : 'start',
  };
}

async function recordForcedStep(
  { ledger }: DaemonContext,
  issue: string,
  { action, mode, labels }: ForcedStep,
  by: string,
  due: AdvanceAnswer['decisions'],
): Promise<void> {
  const last = due.at(-1);
  await ledger.append((state) => {
    const record = state.issues.get(issue) ?? createIssueRecord(issue);
    refuseWhileTaken(state, issue, mode);
    if (record.openIntents > 0)
      throw new LegionError('advance.not_next', `A step of ${issue} is being carried out right now.`);
    return [
      {
        type: 'decision.made',
        issue,
        decision: record.lastDecision + 1,
        action,
        mode,
        reason: 'forced',
        evidence: [`by=${by}`, `due=${last?.action ?? 'nothing'}`, `due_reason=${last?.reason ?? 'none'}`],
      },
      ...buildOverruleEvents(state, issue, labels),
    ];
  });
}

/** Lists the step's writes and start, for the answer. */
function listCommands(
  { ledger }: DaemonContext,
  issue: string,
  { mode, moveTo, labels, purpose }: ForcedStep,
): Command[] {
  const { add, remove } = labels;
  const write: Command = {
    kind: 'write_issue',
    issue,
    moveTo,
    add: [...add],
    remove: [...remove],
    covers: 0,
  };
  if (purpose === undefined) return [write];
  const worker = ledger.state.workers.get(toWorkerId(issue, mode));
  const attempt = (worker?.attempt ?? 0) + 1;
  return [write, { kind: 'spawn', issue, mode, attempt, version: worker?.version ?? 0, purpose }];
}

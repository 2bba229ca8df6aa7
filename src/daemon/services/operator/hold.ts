/** Pauses, resumes and halts on an operator's request: in the journal first, then on the board. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../../core/model/ids.ts';
import { describePendingStop } from '../../../core/model/lifecycle.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import { buildGlobalHoldEvents } from '../../../core/state/halt.ts';
import { createIssueRecord, type LegionState } from '../../../core/state/state.ts';
import { listStoppingWorkers } from '../../../core/state/stopping.ts';
import { listIssueWorkers } from '../../../core/state/workers.ts';
import type { ActionAnswer, HaltAnswer } from '../../../protocol/operator.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { buildCounterResets } from '../../loop/detect-changes.ts';
import { readIssue } from '../read-outside.ts';
import { postIssueComment, relabelIssue } from './relabel.ts';

const HOLD = { add: ['legion-paused'], remove: [] } as const;

/**
 * Builds the events that hold an issue. Empty if the issue is already held. `written` contains the
 * labels on the board.
 */
export function buildIssueHoldEvents(
  state: LegionState,
  issue: IssueId,
  written: readonly string[],
  { by, why }: { readonly by: string; readonly why: string },
): readonly EventBody[] {
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  if (computeEffectiveLabels(written, state, issue).has('legion-paused')) return [];
  const { add, remove } = HOLD;
  const revision = record.lastOwed + 1;
  return [{ type: 'labels.owed', issue, revision, add: [...add], remove: [...remove], by, why }];
}

/**
 * Writes a hold that is already in the journal to the board. Resolves to false if the board cannot
 * be written to at the moment. The issue is held in any case, and the loop writes the label later.
 */
export async function showHold(
  context: StateContext & PortContext,
  issue: IssueId,
  by: string,
  why: string,
): Promise<boolean> {
  const key = `${issue}:paused:${context.ledger.version}`;
  try {
    await relabelIssue(context, issue, { add: [...HOLD.add], remove: [] });
    await postIssueComment(context, issue, by, key, `Paused by ${by}: ${why}`);
    return true;
  } catch (error) {
    if (error instanceof LegionError && error.retryable) return false;
    throw error;
  }
}

/** Pauses one issue. Its running workers continue, and their reports are kept. */
export async function pauseIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  by: string,
  why: string,
): Promise<ActionAnswer> {
  const { labels } = await readIssue(context, issue);
  const appended = await context.ledger.append((state) =>
    buildIssueHoldEvents(state, issue, labels, { by, why }),
  );
  if (appended.length === 0)
    return { says: `${issue} is already paused. Run \`legion resume ${issue}\` to continue it.` };
  const isShown = await showHold(context, issue, by, why);
  context.wake(issue);
  const later = isShown ? '' : ' The board cannot be written to at the moment; it will show the hold later.';
  return { says: `${issue} is paused until \`legion resume ${issue}\`; a running worker continues.${later}` };
}

export async function pauseStarts(context: StateContext, by: string, why: string): Promise<ActionAnswer> {
  const { ledger } = context;
  const appended = await ledger.append((state) =>
    buildGlobalHoldEvents(state, 'pause', by, `paused by ${by}: ${why}`),
  );
  const hold = ledger.state.breaker.open?.why ?? 'the pause has just ended';
  if (appended.length === 0) return { says: `Worker starts are already paused: ${hold}.` };
  context.wake();
  return {
    says: 'No worker starts until `legion resume`; running workers continue. `legion halt` stops them.',
  };
}

/** Resumes a paused issue. */
export async function resumeIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  by: string,
): Promise<ActionAnswer> {
  const { labels } = await readIssue(context, issue);
  if (!computeEffectiveLabels(labels, context.ledger.state, issue).has('legion-paused'))
    throw new LegionError('resume.not_paused', describeNotPaused(context, issue));
  // Resets the counters before it removes the label: otherwise the next reconcile pass would find
  // them exhausted and pause the issue again.
  await context.ledger.append((state) => buildCounterResets(state, issue, by));
  await postIssueComment(
    context,
    issue,
    by,
    `${issue}:resumed:${context.ledger.version}`,
    `Resumed by ${by}.`,
  );
  await relabelIssue(context, issue, { add: [], remove: ['legion-paused'] });
  context.wake(issue);
  const hold = describeLegionHold(context.ledger.state);
  const state = hold === undefined ? 'continues' : 'is no longer paused';
  const says = `${issue} ${state}; its rounds, crashes and budgets start from zero.${hold === undefined ? '' : ` ${hold}`}`;
  return { says: addStopping(says, context, issue) };
}

export async function resumeStarts(context: StateContext, by: string): Promise<ActionAnswer> {
  const appended = await context.ledger.append(({ breaker }) =>
    breaker.open === undefined ? [] : [{ type: 'breaker.closed', breaker: breaker.serial, by }],
  );
  if (appended.length === 0)
    throw new LegionError('resume.not_paused', 'The legion is neither paused nor halted.');
  context.wake();
  return { says: addStopping('Workers can start again.', context) };
}

function describeNotPaused({ ledger }: StateContext, issue: IssueId): string {
  const hold = ledger.state.breaker.open;
  if (hold === undefined) return `${issue} is not paused.`;
  const state = hold.kind === 'halt' ? 'halted' : 'paused';
  return `${issue} itself is not paused, but the whole legion is ${state}. Run \`legion resume\` without an issue.`;
}

/**
 * Adds the workers that are still being stopped to the answer, because a worker can start again
 * only after its last process has exited.
 */
function addStopping(answer: string, context: StateContext, issue?: IssueId): string {
  return [answer, describeStoppingWorkers(context, issue)].filter((each) => each !== '').join(' ');
}

/** `legion halt`: halts the legion and builds the operator's answer. */
export async function haltByOperator(
  context: StateContext,
  control: LoopControl,
  by: string,
  why: string,
): Promise<HaltAnswer> {
  const { before, stopped, merging } = await control.halt({ by, why });
  const opening =
    before === undefined
      ? 'The legion is halted: no worker starts until `legion resume`.'
      : `The legion was already halted by ${before.by} at ${new Date(before.since).toISOString()}. Run \`legion resume\` to end the halt.`;
  const stopping = describeStoppingWorkers(context);
  // A worker that had not fully started may already have ended.
  const gone = stopped.filter((id) => !stopping.includes(`${id} is `));
  const stops = [stopping, gone.length === 0 ? '' : `Stopped: ${gone.join(', ')}.`].filter(
    (each) => each !== '',
  );
  if (stops.length === 0) stops.push('No worker was running.');
  const merges =
    merging.length === 0
      ? []
      : [
          `A merge has begun and will complete first. These workers are stopped afterwards: ${merging.join(', ')}.`,
        ];
  return { says: [opening, ...stops, ...merges].join(' '), stopped: [...stopped], merging: [...merging] };
}

/**
 * Describes the hold of the whole legion to a person whose issue is waiting because of it.
 * Undefined unless a person halted or paused the legion.
 */
export function describeLegionHold({ breaker }: LegionState): string | undefined {
  const kind = breaker.open?.kind;
  if (kind !== 'halt' && kind !== 'pause') return undefined;
  return `The legion is ${kind === 'halt' ? 'halted' : 'paused'}: \`legion resume\` lets it continue.`;
}

/**
 * Lists the workers of one issue, or of all issues, that are being stopped, and how long each stop
 * may take. Empty if there are none.
 */
export function describeStoppingWorkers(
  { ledger: { state }, settings, clock }: StateContext,
  issue?: IssueId,
): string {
  const workers = issue === undefined ? undefined : listIssueWorkers(state, issue);
  return listStoppingWorkers(state, settings().health, workers)
    .map(
      ({ issue: id, mode, stopping }) =>
        `${toWorkerId(id, mode)} is ${describePendingStop(stopping, clock.now())}.`,
    )
    .join(' ');
}

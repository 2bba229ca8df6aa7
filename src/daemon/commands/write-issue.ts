/** Writes a step's status and labels to the tracker together. Idempotent. */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import { applyLabelChange, type LabelChange } from '../../core/model/label.ts';
import type { Status } from '../../core/model/status.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import { createDoneOutcome, createSupersededOutcome, type IntentOutcome } from './outcome.ts';

type WriteIssueCommand = Extract<Command, { kind: 'write_issue' }>;

export async function writeIssue(
  context: StateContext & PortContext,
  command: WriteIssueCommand,
  signal: AbortSignal,
): Promise<IntentOutcome> {
  const { tracker, boardView, ledger } = context;
  const { issue, moveTo, covers } = command;
  const labels = omitOverruledLabels(ledger.state, command);
  const createWrittenOutcome = (detail: string) =>
    createDoneOutcome(detail, () =>
      covers > 0 ? [{ type: 'labels.written', issue, revision: covers }] : [],
    );
  if (moveTo === undefined && labels.add.length === 0 && labels.remove.length === 0)
    return createWrittenOutcome('overruled by a later change');
  try {
    await tracker.write(issue, { labels, ...(moveTo === undefined ? {} : { moveTo }) });
  } catch (error) {
    if (error instanceof LegionError && error.code === 'tracker.issue_unknown')
      return createSupersededOutcome('the issue is no longer on the board');
    if (!(await isPauseShown(context, command, labels, signal))) throw error;
    return createWrittenOutcome('written, although the response was lost');
  }
  boardView.recordWrite(issue, labels, moveTo === undefined ? undefined : buildRecordedMove(context, moveTo));
  return createWrittenOutcome('written');
}

/**
 * Builds the move as the board view records it, with the first configured column name of the
 * status. If the tracker uses another name, the next board read corrects it.
 */
export function buildRecordedMove(
  { settings, clock }: Pick<DaemonContext, 'settings' | 'clock'>,
  status: Status,
) {
  return { status, column: settings().columns[status]?.[0] ?? status, at: clock.now() };
}

/**
 * Skips labels that a person has changed since the write was ordered, because a repeated write must
 * not undo the person's change.
 */
function omitOverruledLabels(
  { issues }: LegionState,
  { issue, add, remove, covers }: WriteIssueCommand,
): LabelChange {
  const later = (issues.get(issue)?.owed ?? []).filter(({ revision }) => revision > covers);
  const isOverruled = (change: LabelChange, label: string) => {
    const ordered = applyLabelChange(new Set<string>(), change).has(label);
    const wanted = later.reduce(applyLabelChange, new Set(ordered ? [label] : []));
    return wanted.has(label) !== ordered;
  };
  return {
    add: add.filter((label) => !isOverruled({ add: [label], remove: [] }, label)),
    remove: remove.filter((label) => !isOverruled({ add: [], remove: [label] }, label)),
  };
}

/**
 * After a failed write, checks whether the tracker shows the pause anyway. This is checked at once:
 * a later retry could set the pause again after a person has ended it.
 */
async function isPauseShown(
  { tracker }: PortContext,
  { issue, moveTo }: WriteIssueCommand,
  { add, remove }: LabelChange,
  signal: AbortSignal,
): Promise<boolean> {
  if (moveTo !== undefined || !add.includes('legion-paused')) return false;
  const current = await tracker.read(issue, signal).catch(() => undefined);
  if (current === undefined) return false;
  const { labels } = current;
  return add.every((label) => labels.includes(label)) && !remove.some((label) => labels.includes(label));
}

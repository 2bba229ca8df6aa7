/** Writes status and labels of one step to the tracker, together; the same write again changes nothing. */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Status } from '../../core/model/status.ts';
import type { Swarm } from '../../core/state/state.ts';
import { applyLabelChange, type LabelChange } from '../../domain/label.ts';
import { done, type Outcome, superseded } from '../perform/outcome.ts';
import type { World } from '../world.ts';

type WriteIssue = Extract<Command, { kind: 'write_issue' }>;

export async function writeIssue(world: World, command: WriteIssue, signal: AbortSignal): Promise<Outcome> {
  const { tracker, view, ledger } = world;
  const { issue, moveTo, covers } = command;
  const labels = withoutOverruled(ledger.swarm, command);
  const written = (detail: string) =>
    done(detail, () => (covers > 0 ? [{ type: 'labels.written', issue, revision: covers }] : []));
  if (moveTo === undefined && labels.add.length === 0 && labels.remove.length === 0)
    return written('overruled by a later change');
  try {
    await tracker.write(issue, { labels, ...(moveTo === undefined ? {} : { moveTo }) });
  } catch (error) {
    if (error instanceof LegionError && error.code === 'tracker.issue_unknown')
      return superseded('the issue is no longer on the board');
    if (!(await isPauseShown(world, command, labels, signal))) throw error;
    return written('written, although its answer was lost');
  }
  view.noteWrite(issue, labels, moveTo === undefined ? undefined : moveOf(world, moveTo));
  return written('written');
}

/** The next read of the board corrects a column whose own name differs. */
export function moveOf({ settings, clock }: Pick<World, 'settings' | 'clock'>, status: Status) {
  return { status, column: settings().columns[status]?.[0] ?? status, at: clock.now() };
}

/** A person may have changed these labels since the write was ordered: a repeated write must not undo that. */
function withoutOverruled({ issues }: Swarm, { issue, add, remove, covers }: WriteIssue): LabelChange {
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

/** Looked for at once: written again later, the pause would come back after a person has ended it. */
async function isPauseShown(
  { tracker }: World,
  { issue, moveTo }: WriteIssue,
  { add, remove }: LabelChange,
  signal: AbortSignal,
): Promise<boolean> {
  if (moveTo !== undefined || !add.includes('legion-paused')) return false;
  const shown = await tracker.read(issue, signal).catch(() => undefined);
  if (shown === undefined) return false;
  const { labels } = shown;
  return add.every((label) => labels.includes(label)) && !remove.some((label) => labels.includes(label));
}

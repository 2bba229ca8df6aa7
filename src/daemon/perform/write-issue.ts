/** Writes status and labels of one step to the tracker, together; the same write again changes nothing. */
import type { Command } from '../../domain/command.ts';
import { LegionError } from '../../domain/fault.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

export async function writeIssue(
  { tracker, view }: World,
  { issue, moveTo, add, remove, covers }: Extract<Command, { kind: 'write_issue' }>,
): Promise<Outcome> {
  try {
    await tracker.write(issue, { labels: { add, remove }, ...(moveTo === undefined ? {} : { moveTo }) });
  } catch (error) {
    if (error instanceof LegionError && error.code === 'tracker.issue_unknown')
      return superseded('the issue is no longer on the board');
    throw error;
  }
  // A moved issue is read again before anything is decided about it.
  if (moveTo === undefined) view.noteLabels(issue, { add, remove });
  return done('written', () => (covers > 0 ? [{ type: 'labels.written', issue, revision: covers }] : []));
}

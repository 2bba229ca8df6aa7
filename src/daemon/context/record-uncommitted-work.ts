/**
 * Records an issue's uncommitted work, so that the work survives a kill. Only some kinds of
 * workspace support this.
 */
import type { IssueId } from '../../core/model/ids.ts';
import type { PortContext, StateContext } from './daemon-context.ts';

/**
 * Never rejects: a stop or a checkpoint must not depend on the record. A failure is reported as an
 * active problem.
 */
export async function recordUncommittedWork(
  { workspaces, problems }: Pick<PortContext, 'workspaces'> & Pick<StateContext, 'problems'>,
  issue: IssueId,
): Promise<void> {
  const about = `snapshot of ${issue}`;
  try {
    await workspaces.snapshot(issue);
    problems.resolve(about);
  } catch (error) {
    problems.report(about, error);
  }
}

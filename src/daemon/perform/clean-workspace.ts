/** Removes the workspace of an issue that is over, unless something in it would be lost. */
import type { Command } from '../../core/model/command.ts';
import { isAtWork } from '../loop/cleanup.ts';
import type { World } from '../world.ts';
import { done, type Outcome, superseded } from './outcome.ts';

export async function cleanWorkspace(
  { workspaces, ledger, repositories }: World,
  { issue }: Extract<Command, { kind: 'clean_workspace' }>,
  signal: AbortSignal,
): Promise<Outcome> {
  // Somebody may have opened the issue again since this was decided.
  if (isAtWork(ledger.swarm, issue)) return superseded('a worker is at it');
  // Whether its work is merged can only be seen where the merge is.
  await repositories.find(issue)?.renew(signal);
  const merged = ledger.swarm.issues.get(issue)?.merged;
  const removal = await workspaces.remove(
    issue,
    merged === undefined ? undefined : { mergedAs: merged.mergedSha },
  );
  return removal.removed
    ? done('removed')
    : { outcome: 'failed', detail: `kept, because it holds ${removal.holds.join('; ')}` };
}

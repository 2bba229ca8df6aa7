/** What must hold before an operator's merge: the issue's own gate, or green CI of a revert. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { SeenGate } from '../../../core/state/fleet-state.ts';
import { type Condition, condition } from '../../../pipeline/gates/condition.ts';
import type { ForgePullRequest, NumberedPullRequest } from '../../../ports/forge.ts';
import { checkMerge, listConditions } from '../../merging/check-merge.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';

/** Enough to see what failed on one screen; the whole log is in the state folder. */
const LOG_LINES = 10;

/** `--force` skips nothing here: whoever wants the work merged lets it pass its gate. */
export async function checkIssueMerge(
  world: World,
  issue: IssueId,
  pullRequest: ForgePullRequest,
  { by, force }: { readonly by: string; readonly force: boolean },
): Promise<SeenGate> {
  const hold = world.ledger.swarm.breaker.open;
  if (hold?.kind !== undefined)
    throw new LegionError('pr.held', `Pull request ${pullRequest.number} of ${issue}: ${hold.why}.`);
  const { gate, open } = await checkMerge(world, issue, pullRequest, by);
  if (open.length === 0) return gate;
  const note = force ? ' --force skips the CI of a revert only.' : '';
  throw new LegionError(
    'pr.gate_closed',
    `Pull request ${pullRequest.number} of ${issue} at ${pullRequest.headSha}: ${listConditions(open)}.${note}`,
  );
}

/** Allowed also while the legion is halted: a halt must not keep a bad change on the base. */
export async function checkRevert(
  world: World,
  repository: Repository,
  { issue, reverts, number }: NumberedPullRequest,
  pullRequest: ForgePullRequest,
  force: boolean,
): Promise<SeenGate> {
  const merged = world.ledger.swarm.issues.get(issue)?.merged;
  if (merged === undefined || (merged.pullRequest === reverts && merged.undone === undefined))
    throw new LegionError(
      'rollback.unfinished',
      `The rollback of ${issue} that opened pull request ${number} did not complete.`,
    );
  const { ci, mergeable } = pullRequest;
  const green = condition('ci_green', ci === 'passing', `ci=${ci}`);
  const gate = { preMerge: [green, mergeableCondition(mergeable)] };
  // The merge itself names the files of a conflict, which may also be what breaks CI.
  if (ci === 'passing' || force || mergeable === 'conflicting') return gate;
  throw new LegionError('pr.ci_not_green', await describeCi(repository, pullRequest));
}

function mergeableCondition(mergeable: ForgePullRequest['mergeable']): Condition {
  const verdict = mergeable === 'mergeable' ? 'pass' : mergeable === 'unknown' ? 'unknown' : 'fail';
  return condition('mergeable', verdict, `mergeable=${mergeable}`);
}

async function describeCi(
  { name, forge }: Repository,
  { number, ci, headSha }: ForgePullRequest,
): Promise<string> {
  const subject = `CI of pull request ${number} at ${headSha.slice(0, 10)}`;
  switch (ci) {
    case 'none':
      return `${name} has no CI, so nothing has checked pull request ${number}.`;
    case 'pending':
      return `${subject} is still running.`;
    case 'failing': {
      const failing = await reading((signal) => forge.failingCheck(headSha, signal));
      const log = (failing?.logTail ?? '').trimEnd().split('\n').slice(-LOG_LINES).join('\n');
      return `${subject} fails: ${failing?.name ?? 'unknown check'}\n${log}`;
    }
    default:
      return `${subject} could not run.`;
  }
}

/**
 * Performs one merge on the forge, with one journal event before it and one after it. If the daemon
 * crashes between the two events, the next start determines the outcome.
 */
import type { Event, EventBody } from '../../core/model/event.ts';
import { type FaultCode, LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { BegunMerge } from '../../core/state/fleet-state.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { Forge, MergeOutcome } from '../../ports/forge.ts';
import type { StateContext } from '../context/daemon-context.ts';

export interface MergeOrder extends Omit<BegunMerge, 'begin'> {
  readonly issue: IssueId;
  readonly baseSha: string;
}

/**
 * `append` may reject, for example if the worker's attempt has ended. Nothing is merged in that
 * case.
 */
export async function executeMerge(
  { ledger }: StateContext,
  forge: Forge,
  { baseSha, ...order }: MergeOrder,
  append: (bodies: (state: LegionState) => EventBody[]) => Promise<readonly Event[]> = (bodies) =>
    ledger.append(bodies),
): Promise<MergeOutcome> {
  const { issue, pullRequest, headSha } = order;
  let begin = 0;
  await append((state) => {
    begin = (state.issues.get(issue)?.lastMergeBegun ?? 0) + 1;
    return [{ type: 'merge.begun', begin, ...copyMergeOrder(order) }];
  });
  try {
    return await forge.merge(pullRequest, { headSha, baseSha });
  } catch (error) {
    if (isRefusal(error)) await ledger.append([{ type: 'merge.failed', issue, begin, why: error.message }]);
    throw error;
  }
}

/**
 * Retries if another process moved the branch or its base. Gives up with the error after three
 * failures in a row.
 */
export async function retryWhileMoving<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const hasMoved = error instanceof LegionError && MOVED.has(error.code);
      if (!hasMoved || tries === MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 3;

const MOVED: ReadonlySet<FaultCode> = new Set(['forge.base_moved', 'forge.head_moved']);

/**
 * Errors after which it is certain that nothing was merged. After any other error, the merge may
 * have happened.
 */
const REFUSALS: ReadonlySet<FaultCode> = new Set([
  ...MOVED,
  'forge.base_in_use',
  'forge.branch_missing',
  'forge.conflict',
  'forge.draft',
  'forge.mergeability_unknown',
  'forge.not_open',
  'forge.protected',
]);

function isRefusal(error: unknown): error is LegionError {
  return error instanceof LegionError && REFUSALS.has(error.code);
}

/** Copies the arrays, because the event in the journal must not share them with the caller. */
function copyMergeOrder({ preMerge, autoMerge, ...order }: Omit<MergeOrder, 'baseSha'>) {
  return {
    ...order,
    preMerge: [...preMerge],
    ...(autoMerge && { autoMerge: { allowed: autoMerge.allowed, conditions: [...autoMerge.conditions] } }),
  };
}

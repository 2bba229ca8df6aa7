/** Asks the forge for one merge, between two journal events: a crash in between leaves the first, which is settled at the next start. */
import type { Event, EventBody } from '../../core/model/event.ts';
import { type FaultCode, LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { MergeBegun } from '../../core/state/fleet-state.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { Forge, Merged } from '../../ports/forge.ts';
import type { World } from '../world.ts';

export interface MergeOrder extends Omit<MergeBegun, 'begin'> {
  readonly issue: IssueId;
  readonly baseSha: string;
}

/** `append` may refuse, such as for a worker whose attempt has ended; then nothing is merged. */
export async function carryOutMerge(
  { ledger }: World,
  forge: Forge,
  { baseSha, ...order }: MergeOrder,
  append: (bodies: (swarm: Swarm) => EventBody[]) => Promise<readonly Event[]> = (bodies) =>
    ledger.append(bodies),
): Promise<Merged> {
  const { issue, pullRequest, headSha } = order;
  let begin = 0;
  await append((swarm) => {
    begin = (swarm.issues.get(issue)?.lastMergeBegun ?? 0) + 1;
    return [{ type: 'merge.begun', begin, ...copyOf(order) }];
  });
  try {
    return await forge.merge(pullRequest, { headSha, baseSha });
  } catch (error) {
    if (isRefusal(error)) await ledger.append([{ type: 'merge.failed', issue, begin, why: error.message }]);
    throw error;
  }
}

/** Tries again where another process moved the branch or its base; three losses in a row deserve a look at why. */
export async function retryWhileMoving<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      const hasMoved = error instanceof LegionError && MOVED.has(error.code);
      if (!hasMoved || tried === MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 3;

const MOVED: ReadonlySet<FaultCode> = new Set(['forge.base_moved', 'forge.head_moved']);

/** After these nothing was merged for certain; after any other error it may have been. */
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

/** The journal's arrays are its own. */
function copyOf({ preMerge, autoMerge, ...order }: Omit<MergeOrder, 'baseSha'>) {
  return {
    ...order,
    preMerge: [...preMerge],
    ...(autoMerge && { autoMerge: { allowed: autoMerge.allowed, conditions: [...autoMerge.conditions] } }),
  };
}

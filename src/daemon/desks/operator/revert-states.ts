/** Remembers where the revert of each rolled-back issue stands: people also merge or close it on the forge's pages. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { RevertSignal } from '../../../core/model/signals.ts';
import type { Forge } from '../../../ports/forge.ts';
import type { World } from '../../world.ts';

export type RevertState = Exclude<RevertSignal, 'unknown'>;

/** Undefined for an issue that was not rolled back. */
export type RevertStates = (issue: IssueId) => Promise<RevertState | undefined>;

/** A person waits for the inbox, which otherwise shows what was known before. */
const READ_LIMIT_MS = 5_000;

/** An open inbox must not use up what a service allows; the local forge is read every time. */
const RECHECK_MS = 60_000;

interface KnownRevert {
  readonly revert: number;
  readonly at: number;
  readonly state: RevertState;
}

export function openRevertStates({
  ledger,
  repositories,
  clock,
}: Pick<World, 'ledger' | 'repositories' | 'clock'>): RevertStates {
  const known = new Map<IssueId, KnownRevert>();
  return async (issue) => {
    const undone = ledger.swarm.issues.get(issue)?.merged?.undone;
    const repository = repositories.find(issue);
    if (undone === undefined || repository === undefined) return undefined;
    const { revert, branch, landed } = undone;
    if (landed !== undefined) return 'merged';
    const last = known.get(issue);
    const before = last?.revert === revert ? last : undefined;
    const isFresh = repository.forge.kind !== 'local' && before && clock.now() - before.at < RECHECK_MS;
    if (before !== undefined && (isFresh || before.state === 'merged')) return before.state;
    // Taken for open while the forge cannot be read: an open revert must not be hidden.
    const state = (await readState(repository.forge, branch)) ?? before?.state ?? 'open';
    known.set(issue, { revert, at: clock.now(), state });
    return state;
  };
}

/** Undefined where the forge cannot tell now. */
async function readState(forge: Forge, branch: string): Promise<RevertState | undefined> {
  const signal = AbortSignal.timeout(READ_LIMIT_MS);
  try {
    const found = (await forge.pullRequests([branch], signal)).get(branch);
    return found === 'unknown' ? undefined : (found?.state ?? 'closed');
  } catch (error) {
    if (error instanceof LegionError || signal.aborted) return undefined;
    throw error;
  }
}

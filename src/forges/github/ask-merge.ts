/** What GitHub says about a pull request that is to be merged; asked again while it has not worked that out. */
import { branchRef } from '../../integrations/forge-support/repository.ts';
import type { BeforeMergingQuery } from '../../integrations/github/generated/forge.ts';
import { askRepository, type FoundRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { BEFORE_MERGING } from './write-documents.ts';

/** GitHub mostly knows within seconds of being asked: 1, 2, 4, 8 and 15 s later, half a minute in all. */
const WAITS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000];

export type MergeAnswer = FoundRepository<BeforeMergingQuery>;
export type MergeCommit = NonNullable<MergeAnswer['pullRequest']['mergeCommit']>;
export type BaseRule = NonNullable<MergeAnswer['base']>['refUpdateRule'];
export type CheckedContexts = NonNullable<MergeAnswer['pullRequest']['statusCheckRollup']>['contexts'];

export function askMerge(desk: Desk, number: number): Promise<MergeAnswer> {
  return askRepository<BeforeMergingQuery>(desk, BEFORE_MERGING, { number, baseRef: branchRef(desk.base) });
}

/** Asking is what makes GitHub work it out. Outside of the lock, because others need not wait for that. */
export async function awaitMergeability(desk: Desk, number: number): Promise<void> {
  for (const wait of WAITS_MS) {
    if (isKnown(await askMerge(desk, number))) return;
    await desk.clock.sleep(wait, desk.closing);
  }
}

export function isKnown({ pullRequest }: MergeAnswer): boolean {
  const { state, mergeable, mergeStateStatus } = pullRequest;
  return state !== 'OPEN' || (mergeable !== 'UNKNOWN' && mergeStateStatus !== 'UNKNOWN');
}

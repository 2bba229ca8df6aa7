/** What GitHub says about a pull request that is to be merged; asked again while it has not worked that out. */
import { branchRef } from '../repository.ts';
import { askRepository, type OneAnswer } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { BEFORE_MERGING } from './write-documents.ts';

/** GitHub mostly knows within seconds of being asked: 1, 2, 4, 8 and 15 s later, half a minute in all. */
const WAITS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000];

export interface MergeAnswer {
  readonly base: {
    readonly target: { readonly oid: string } | null;
    readonly refUpdateRule: RuleAnswer | null;
  } | null;
  readonly pullRequest: Omit<OneAnswer, 'labels'> & {
    readonly mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN';
    readonly mergeStateStatus: string;
    readonly reviewDecision: string | null;
    readonly isMergeQueueEnabled: boolean;
    readonly headRef: { readonly name: string } | null;
    readonly mergeCommit: MergeCommit | null;
    readonly statusCheckRollup: { readonly contexts: CheckedContexts } | null;
  };
}

export interface MergeCommit {
  readonly oid: string;
  readonly parents: { readonly nodes: readonly { readonly oid: string }[] };
}

export interface RuleAnswer {
  readonly requiredStatusCheckContexts: readonly string[] | null;
  readonly requiredApprovingReviewCount: number | null;
  readonly requiresConversationResolution: boolean;
  readonly requiresSignatures: boolean;
}

export interface CheckedContexts {
  readonly pageInfo: { readonly hasNextPage: boolean };
  readonly nodes: readonly ({
    readonly name?: string;
    readonly status?: string;
    readonly conclusion?: string | null;
    readonly context?: string;
    readonly state?: string;
  } | null)[];
}

export function askMerge(desk: Desk, number: number): Promise<MergeAnswer> {
  return askRepository<MergeAnswer>(desk, BEFORE_MERGING, { number, baseRef: branchRef(desk.base) });
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

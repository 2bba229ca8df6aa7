/**
 * Observes the tracker and the forge: returns every issue on the board with its pull request, or
 * fails as a whole.
 */
import type { ChangesSince } from '../../core/model/evidence.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { isLive, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { ObservedIssue, ObservedRevert } from '../../core/model/observed-issue.ts';
import type { PullRequest } from '../../core/model/pull-request.ts';
import { type ColumnNames, isFinished, type ObservedStatus, readStatus } from '../../core/model/status.ts';
import { isManifest } from '../../core/pipeline/dependencies.ts';
import { isClarified } from '../../core/pipeline/triage.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import type { LandedMerge } from '../../core/state/fleet-state.ts';
import type { LegionState } from '../../core/state/state.ts';
import { listIssueWorkers } from '../../core/state/workers.ts';
import type { Forge } from '../../ports/forge.ts';
import type { Tracker } from '../../ports/tracker.ts';
import { isPossiblyClosedByMerge, resolveStatusAfterMerge } from './closed-by-merge.ts';
import { readIssueComments } from './read-comments.ts';

export interface ObservationSources {
  readonly tracker: Tracker;
  /**
   * Returns the forge of an issue's pull request. Undefined for repositories outside the legion.
   */
  readonly forgeOf: (issue: IssueId) => Forge | undefined;
  readonly columns: ColumnNames;
  /**
   * Returns the time from which people’s comments may count as answers to a question. Undefined if
   * no comment can.
   */
  readonly findCommentsStart?: (issue: Issue) => number | undefined;
  /**
   * Returns the last known pull request. If this function is given, the forge is not queried while
   * a worker is running on the issue.
   */
  readonly findLastSeenPullRequest?: (issue: IssueId) => ObservedIssue['pullRequest'] | undefined;
}

/**
 * Statuses in which a pull request matters. In other statuses, querying the forge would waste the
 * API budget.
 */
const WITH_PULL_REQUEST: ReadonlySet<ObservedStatus> = new Set([
  'In Progress',
  'Testing',
  'Needs Review',
  'Retro',
]);

export function isPullRequestNeeded(status: ObservedStatus): boolean {
  return WITH_PULL_REQUEST.has(status);
}

/**
 * Rejects if the board cannot be read completely: issues missing from a partial board would look
 * deleted.
 */
export async function observeBoard(
  outside: ObservationSources,
  state: LegionState,
  signal: AbortSignal,
): Promise<ObservedIssue[]> {
  return observeEach(outside, state, await outside.tracker.list(signal), signal);
}

/** Observes only the given issues. Leaves out issues that are not on the board. */
export async function observeIssues(
  outside: ObservationSources,
  state: LegionState,
  ids: readonly IssueId[],
  signal: AbortSignal,
): Promise<ObservedIssue[]> {
  const found = await Promise.all(ids.map((id) => outside.tracker.read(id, signal)));
  const issues = found.filter((issue) => issue !== undefined);
  return observeEach(outside, state, issues, signal);
}

export async function observeIssue(
  outside: ObservationSources,
  state: LegionState,
  id: IssueId,
  signal: AbortSignal,
): Promise<ObservedIssue | undefined> {
  return (await observeIssues(outside, state, [id], signal))[0];
}

async function observeEach(
  outside: ObservationSources,
  state: LegionState,
  issues: readonly Issue[],
  signal: AbortSignal,
): Promise<ObservedIssue[]> {
  // Decided once, because the state changes during the reads below: a pull request that was not
  // queried must never look like one that does not exist.
  const board = issues.map((issue) => {
    const status = readStatus(issue.column, outside.columns);
    const isRelevant = isPullRequestNeeded(status) || isPossiblyClosedByMerge(state, issue, status);
    const isSpared =
      outside.findLastSeenPullRequest !== undefined && status !== 'terminal' && isEngaged(state, issue);
    return { issue, status, isRelevant, isSpared };
  });
  // Comments are read before the forge is queried, so that this read can reuse data that the board
  // listing has just fetched.
  const words = readIssueComments(outside, board, signal);
  const asked = board.filter(({ isRelevant, isSpared }) => isRelevant && !isSpared);
  const branches = asked.map(({ issue }) => issue.id);
  const reverts = new Map(
    board.flatMap((each) => {
      const undone = each.isSpared ? undefined : findUnsettledRevert(state, each);
      return undone === undefined ? [] : [[each.issue.id, undone] as const];
    }),
  );
  const wanted = [
    ...branches.map((branch) => ({ branch, issue: branch })),
    ...[...reverts].map(([issue, { branch }]) => ({ branch, issue })),
  ];
  const [{ answers: said, iceboxed, unread }, pullRequests] = await Promise.all([
    words,
    readPullRequests(outside, wanted, signal),
  ]);
  return Promise.all(
    board.map(async (each): Promise<ObservedIssue> => {
      const issue = withProblems(each.issue, [
        unread.get(each.issue.id),
        describePullRequestProblem(outside, each.issue.id, pullRequests),
      ]);
      const found = !each.isRelevant
        ? 'none'
        : each.isSpared
          ? (outside.findLastSeenPullRequest?.(issue.id) ?? 'unknown')
          : (pullRequests.get(issue.id) ?? 'none');
      const pullRequest = isMergeUndone(state, issue.id, found) ? 'none' : found;
      const status = resolveStatusAfterMerge(each.status, pullRequest);
      const read = { issue, status, pullRequest };
      const [changes, checkouts, diff] = await Promise.all([
        readChangesSinceChecks(outside, state, read, signal),
        findBlockingCheckouts(outside, state, read, signal),
        readDiff(outside, state, read, signal),
      ]);
      return {
        ...read,
        revert: findObservedRevert(pullRequests, reverts.get(issue.id)),
        changes,
        diff,
        checkouts,
        clarified: status === 'Icebox' && isClarified(issue, iceboxed.get(issue.id) ?? []),
        said: said.get(issue.id),
      };
    }),
  );
}

/**
 * Returns whether a worker is running on the issue. In that case, the pull request keeps changing
 * and does not affect decisions.
 */
function isEngaged(state: LegionState, issue: Issue): boolean {
  const isAtWork = listIssueWorkers(state, issue.id).some(({ facts }) => isLive(toLifecycleState(facts)));
  return isAtWork && !computeEffectiveLabels(issue.labels, state, issue.id).has('worker-done');
}

/**
 * Returns whether the pull request's merge was undone by a person. Such a merge is ignored, because
 * the work starts again with another pull request.
 */
function isMergeUndone(
  state: LegionState,
  issue: IssueId,
  pullRequest: ObservedIssue['pullRequest'],
): boolean {
  const merged = state.issues.get(issue)?.merged;
  return (
    merged?.undone !== undefined &&
    typeof pullRequest === 'object' &&
    pullRequest.state === 'merged' &&
    pullRequest.number === merged.pullRequest
  );
}

type UndoneMerge = NonNullable<LandedMerge['undone']>;

/**
 * Returns the issue's revert, unless the journal records it as merged. An unmerged revert is read
 * again, because people also merge or close reverts on the forge's website.
 */
function findUnsettledRevert(
  { issues }: LegionState,
  { issue, status }: Pick<ObservedIssue, 'issue' | 'status'>,
): UndoneMerge | undefined {
  const undone = issues.get(issue.id)?.merged?.undone;
  return undone?.landed === undefined && !isFinished(status) ? undone : undefined;
}

/**
 * Returns the state of the revert. The forge does not list closed pull requests, so a missing
 * revert is treated as closed.
 */
function findObservedRevert(
  found: ReadonlyMap<string, PullRequest | 'unknown'>,
  revert: UndoneMerge | undefined,
): ObservedRevert | undefined {
  if (revert === undefined) return undefined;
  const { revert: number, branch } = revert;
  const read = found.get(branch);
  if (read === 'unknown') return { number, state: 'unknown' };
  return { number, state: read?.state ?? 'closed', mergedSha: read?.mergedSha };
}

/**
 * Reads the pull requests from each forge. If a forge cannot be read, only its own pull requests
 * are unknown; the rest of the board is not affected.
 */
async function readPullRequests(
  { forgeOf }: ObservationSources,
  wanted: readonly { readonly branch: string; readonly issue: IssueId }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PullRequest | 'unknown'>> {
  const perForge = Map.groupBy(wanted, ({ issue }) => forgeOf(issue));
  const read = [...perForge].map(async ([forge, its]) => {
    const branches = its.map(({ branch }) => branch);
    return forge === undefined ? mapToUnknown(branches) : readPullRequestsFrom(forge, branches, signal);
  });
  return new Map((await Promise.all(read)).flatMap((found) => [...found]));
}

async function readPullRequestsFrom(
  forge: Forge,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PullRequest | 'unknown'>> {
  try {
    return await forge.pullRequests(branches, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return mapToUnknown(branches);
  }
}

function mapToUnknown(branches: readonly string[]): ReadonlyMap<string, 'unknown'> {
  return new Map(branches.map((branch) => [branch, 'unknown']));
}

/** Compares the head only with earlier commits that have evidence, a review or an approval. */
async function readChangesSinceChecks(
  { forgeOf }: ObservationSources,
  state: LegionState,
  { issue, status, pullRequest }: Pick<ObservedIssue, 'issue' | 'status' | 'pullRequest'>,
  signal: AbortSignal,
): Promise<ChangesSince> {
  if (typeof pullRequest !== 'object') return new Map();
  // A merged pull request in Retro leads to Done regardless of its evidence.
  if (status === 'Retro' && pullRequest.state === 'merged') return new Map();
  const proofs = Object.values(state.issues.get(issue.id)?.evidence ?? {});
  const reviews = pullRequest.reviews === 'unknown' ? [] : pullRequest.reviews;
  const shas = new Set([...proofs, ...reviews].map(({ sha }) => sha));
  const approved = state.issues.get(issue.id)?.approval?.sha;
  if (status === 'Retro' && approved !== undefined) shas.add(approved);
  shas.delete(pullRequest.headSha);
  const forge = forgeOf(issue.id);
  if (shas.size === 0 || forge === undefined) return new Map();
  try {
    return await forge.changesSince([...shas], pullRequest, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return new Map([...shas].map((sha) => [sha, 'unknown']));
  }
}

/**
 * Queries checkouts only if a merge worker may be next. Ignores errors here, because the merge
 * checks again.
 */
async function findBlockingCheckouts(
  { forgeOf }: ObservationSources,
  state: LegionState,
  { issue, status, pullRequest }: Pick<ObservedIssue, 'issue' | 'status' | 'pullRequest'>,
  signal: AbortSignal,
): Promise<ObservedIssue['checkouts']> {
  const isOpen = typeof pullRequest === 'object' && pullRequest.state === 'open';
  if (status !== 'Retro' || !isOpen || isEngaged(state, issue)) return undefined;
  try {
    return await forgeOf(issue.id)?.obstacles?.(issue.id, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** Reads the diff only in Retro, where the auto-merge gate needs it. */
async function readDiff(
  { forgeOf, findLastSeenPullRequest }: ObservationSources,
  state: LegionState,
  { issue, status, pullRequest }: Pick<ObservedIssue, 'issue' | 'status' | 'pullRequest'>,
  signal: AbortSignal,
): Promise<ObservedIssue['diff']> {
  const isOpen = typeof pullRequest === 'object' && pullRequest.state === 'open';
  // The last merge check reads the diff again, although the merge worker runs.
  const isSpared = findLastSeenPullRequest !== undefined && isEngaged(state, issue);
  if (status !== 'Retro' || !isOpen || isSpared) return undefined;
  try {
    return (await forgeOf(issue.id)?.changedFiles(pullRequest, isManifest, signal)) ?? 'unknown';
  } catch (error) {
    if (signal.aborted) throw error;
    return 'unknown';
  }
}

function describePullRequestProblem(
  { forgeOf }: ObservationSources,
  issue: IssueId,
  found: ReadonlyMap<IssueId, PullRequest | 'unknown'>,
): string | undefined {
  if (found.get(issue) !== 'unknown') return undefined;
  const why = forgeOf(issue)?.whyUnknown?.(issue);
  return why === undefined ? undefined : `Legion cannot read the pull request of this issue: ${why}`;
}

function withProblems(issue: Issue, texts: readonly (string | undefined)[]): Issue {
  const found = texts.filter((text) => text !== undefined).map((text) => ({ text, holds: false }));
  return found.length === 0 ? issue : { ...issue, problems: [...(issue.problems ?? []), ...found] };
}

/** One look at the outside: every issue of the board with its pull request, complete or not at all. */

import type { IssueId } from '../../core/model/ids.ts';
import type { PullRequest } from '../../core/model/pull-request.ts';
import { type ColumnNames, isFinished, readStatus, type SeenStatus } from '../../core/model/status.ts';
import { isManifest } from '../../core/pipeline/dependencies.ts';
import { isClarified } from '../../core/pipeline/triage.ts';
import type { LandedMerge } from '../../core/state/fleet-state.ts';
import type { SeenIssue, SeenRevert } from '../../core/state/observation.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { ChangesSince } from '../../domain/evidence.ts';
import type { Issue } from '../../domain/issue.ts';
import { isLive, lifecycleOf } from '../../domain/lifecycle.ts';
import type { Forge } from '../../ports/forge.ts';
import type { Tracker } from '../../ports/tracker.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import { workersOf } from '../../swarm/workers.ts';
import { mayBeClosedByMerge, statusAfterMerge } from '../closed-by-merge.ts';
import { readWords } from './read-comments.ts';

export interface Outside {
  readonly tracker: Tracker;
  /** Where the pull request of an issue is; undefined for one of a repository nobody works on. */
  readonly forgeOf: (issue: IssueId) => Forge | undefined;
  readonly columns: ColumnNames;
  /** Since when a person’s word is waited for on an issue that has a question; undefined where nobody waits. */
  readonly waitsSince?: (issue: Issue) => number | undefined;
  /** What was last known of a pull request; where it is given, the forge is not asked while a worker is at the issue. */
  readonly lastSeen?: (issue: IssueId) => SeenIssue['pullRequest'] | undefined;
}

/** Statuses in which a pull request matters; asking for others would only cost budget. */
const WITH_PULL_REQUEST: ReadonlySet<SeenStatus> = new Set([
  'In Progress',
  'Testing',
  'Needs Review',
  'Retro',
]);

export function needsPullRequest(status: SeenStatus): boolean {
  return WITH_PULL_REQUEST.has(status);
}

/** Rejects when the board cannot be read whole: a partial board would look like issues that vanished. */
export async function observe(outside: Outside, swarm: Swarm, signal: AbortSignal): Promise<SeenIssue[]> {
  return seen(outside, swarm, await outside.tracker.list(signal), signal);
}

/** The same look at some issues alone; those that are not on the board are not in it. */
export async function observeIssues(
  outside: Outside,
  swarm: Swarm,
  ids: readonly IssueId[],
  signal: AbortSignal,
): Promise<SeenIssue[]> {
  const found = await Promise.all(ids.map((id) => outside.tracker.read(id, signal)));
  const issues = found.filter((issue) => issue !== undefined);
  return seen(outside, swarm, issues, signal);
}

export async function observeIssue(
  outside: Outside,
  swarm: Swarm,
  id: IssueId,
  signal: AbortSignal,
): Promise<SeenIssue | undefined> {
  return (await observeIssues(outside, swarm, [id], signal))[0];
}

async function seen(
  outside: Outside,
  swarm: Swarm,
  issues: readonly Issue[],
  signal: AbortSignal,
): Promise<SeenIssue[]> {
  const board = issues.map((issue) => ({ issue, status: readStatus(issue.column, outside.columns) }));
  // Begun before the forge is asked: what the list has just read of them need not be asked for again.
  const words = readWords(outside, board, signal);
  const isSpared = ({ issue, status }: (typeof board)[number]) =>
    outside.lastSeen !== undefined && status !== 'terminal' && isEngaged(swarm, issue);
  const matters = ({ issue, status }: (typeof board)[number]) =>
    needsPullRequest(status) || mayBeClosedByMerge(swarm, issue, status);
  const asked = board.filter((each) => matters(each) && !isSpared(each));
  const branches = asked.map(({ issue }) => issue.id);
  const reverts = new Map(
    board.flatMap((each) => {
      const undone = isSpared(each) ? undefined : findUnsettledRevert(swarm, each);
      return undone === undefined ? [] : [[each.issue.id, undone] as const];
    }),
  );
  const wanted = [
    ...branches.map((branch) => ({ branch, issue: branch })),
    ...[...reverts].map(([issue, { branch }]) => ({ branch, issue })),
  ];
  const [{ said, iceboxed, unread }, pullRequests] = await Promise.all([
    words,
    readPullRequests(outside, wanted, signal),
  ]);
  return Promise.all(
    board.map(async (each): Promise<SeenIssue> => {
      const issue = withProblems(each.issue, [
        unread.get(each.issue.id),
        pullRequestProblem(outside, each.issue.id, pullRequests),
      ]);
      const found = !matters(each)
        ? 'none'
        : isSpared(each)
          ? (outside.lastSeen?.(issue.id) ?? 'unknown')
          : (pullRequests.get(issue.id) ?? 'none');
      const pullRequest = wasUndone(swarm, issue.id, found) ? 'none' : found;
      const status = statusAfterMerge(each.status, pullRequest);
      const read = { issue, status, pullRequest };
      const [changes, checkouts] = await Promise.all([
        changesOf(outside, swarm, read, signal),
        checkoutsInTheWay(outside, swarm, read, signal),
      ]);
      return {
        ...read,
        revert: revertIn(pullRequests, reverts.get(issue.id)),
        changes,
        addedDependencies: dependenciesOf(pullRequest),
        checkouts,
        clarified: status === 'Icebox' && isClarified(issue, iceboxed.get(issue.id) ?? []),
        said: said.get(issue.id),
      };
    }),
  );
}

/** While a worker is at it nothing follows from its pull request, which changes under its hands anyway. */
function isEngaged(swarm: Swarm, issue: Issue): boolean {
  const isAtWork = workersOf(swarm, issue.id).some(({ facts }) => isLive(lifecycleOf(facts)));
  return isAtWork && !effectiveLabels(issue.labels, swarm, issue.id).has('worker-done');
}

/** A merge that a person has undone is not the end of its issue: the work begins anew, with another pull request. */
function wasUndone(swarm: Swarm, issue: IssueId, pullRequest: SeenIssue['pullRequest']): boolean {
  const merged = swarm.issues.get(issue)?.merged;
  return (
    merged?.undone !== undefined &&
    typeof pullRequest === 'object' &&
    pullRequest.state === 'merged' &&
    pullRequest.number === merged.pullRequest
  );
}

type Revert = NonNullable<LandedMerge['undone']>;

/** One that the journal does not know to be merged: people also merge or close it on the forge's pages. */
function findUnsettledRevert(
  { issues }: Swarm,
  { issue, status }: Pick<SeenIssue, 'issue' | 'status'>,
): Revert | undefined {
  const undone = issues.get(issue.id)?.merged?.undone;
  return undone?.landed === undefined && !isFinished(status) ? undone : undefined;
}

/** A forge lists no closed pull requests. */
function revertIn(
  found: ReadonlyMap<string, PullRequest | 'unknown'>,
  revert: Revert | undefined,
): SeenRevert | undefined {
  if (revert === undefined) return undefined;
  const { revert: number, branch } = revert;
  const read = found.get(branch);
  if (read === 'unknown') return { number, state: 'unknown' };
  return { number, state: read?.state ?? 'closed', mergedSha: read?.mergedSha };
}

/** A forge that cannot be read leaves every pull request unknown, and the board goes on without it. */
async function readPullRequests(
  { forgeOf }: Outside,
  wanted: readonly { readonly branch: string; readonly issue: IssueId }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PullRequest | 'unknown'>> {
  const perForge = Map.groupBy(wanted, ({ issue }) => forgeOf(issue));
  const read = [...perForge].map(async ([forge, its]) => {
    const branches = its.map(({ branch }) => branch);
    return forge === undefined ? allUnknown(branches) : readFrom(forge, branches, signal);
  });
  return new Map((await Promise.all(read)).flatMap((found) => [...found]));
}

async function readFrom(
  forge: Forge,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PullRequest | 'unknown'>> {
  try {
    return await forge.pullRequests(branches, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return allUnknown(branches);
  }
}

function allUnknown(branches: readonly string[]): ReadonlyMap<string, 'unknown'> {
  return new Map(branches.map((branch) => [branch, 'unknown']));
}

/** Only commits that a proof or a review was made at, and that are not the head, have to be compared with it. */
async function changesOf(
  { forgeOf }: Outside,
  swarm: Swarm,
  { issue, status, pullRequest }: Pick<SeenIssue, 'issue' | 'status' | 'pullRequest'>,
  signal: AbortSignal,
): Promise<ChangesSince> {
  if (typeof pullRequest !== 'object') return new Map();
  // From Retro a merged pull request leads to Done, whatever its proofs are worth by now.
  if (status === 'Retro' && pullRequest.state === 'merged') return new Map();
  const proofs = Object.values(swarm.issues.get(issue.id)?.evidence ?? {});
  const reviews = pullRequest.reviews === 'unknown' ? [] : pullRequest.reviews;
  const shas = new Set([...proofs, ...reviews].map(({ sha }) => sha));
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

/** Asked only where a merge worker may be next; what cannot be read is left to the merge itself, which asks again. */
async function checkoutsInTheWay(
  { forgeOf }: Outside,
  swarm: Swarm,
  { issue, status, pullRequest }: Pick<SeenIssue, 'issue' | 'status' | 'pullRequest'>,
  signal: AbortSignal,
): Promise<SeenIssue['checkouts']> {
  const isOpen = typeof pullRequest === 'object' && pullRequest.state === 'open';
  if (status !== 'Retro' || !isOpen || isEngaged(swarm, issue)) return undefined;
  try {
    return await forgeOf(issue.id)?.obstacles?.(issue.id, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** Manifests are not read here, so a changed one counts as a dependency added: a person looks at it before the merge. */
function dependenciesOf(pullRequest: SeenIssue['pullRequest']): readonly string[] | 'unknown' {
  return typeof pullRequest === 'object' ? pullRequest.changedFiles.filter(isManifest) : 'unknown';
}

function pullRequestProblem(
  { forgeOf }: Outside,
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

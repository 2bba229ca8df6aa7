/**
 * Explains what a rolled-back issue and its revert are waiting for, with the same text in the
 * inbox, `explain` and the issue page.
 */

import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { type Issue, resolveApprovalSubject } from '../../../core/model/issue.ts';
import type { RevertSignal } from '../../../core/model/signals.ts';
import { isFinished, type ObservedStatus, readStatus } from '../../../core/model/status.ts';
import type { Forge, ForgePullRequest } from '../../../ports/forge.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import type { Repository } from '../../context/repository.ts';
import { readPullRequest, readWithLimit } from '../read-outside.ts';

export interface RolledBack {
  readonly text: string;
  /** Command or link for the person's next step. */
  readonly next: string;
}

/**
 * Explains a rolled-back issue that is waiting for a new start. Undefined for any other issue.
 * `read` is the state of the revert on the forge. If it is absent, the state in the journal is
 * used.
 */
export function explainRolledBack(
  { ledger, repositories }: StateContext & PortContext,
  issue: IssueId,
  status: ObservedStatus,
  labels: readonly string[],
  read?: RevertState,
): RolledBack | undefined {
  if (resolveApprovalSubject(status, labels) !== 'restart') return undefined;
  const undone = ledger.state.issues.get(issue)?.merged?.undone;
  const repository = repositories.find(issue);
  if (undone === undefined || repository === undefined) return undefined;
  const { revert, landed } = undone;
  const { base, addressOf } = repository;
  const approve = `legion approve ${issue}`;
  switch (read ?? (landed === undefined ? 'open' : 'merged')) {
    case 'merged':
      return {
        text: `The change was rolled back: ${base} no longer contains it. Say on the issue what was wrong, and approve a new start.`,
        next: approve,
      };
    case 'closed':
      return {
        text: `A rollback was requested, but the revert (pull request ${revert}) was closed: ${base} still contains the change. Say on the issue what was wrong, and approve a new start.`,
        next: approve,
      };
    case 'open':
      return {
        text: `Pull request ${revert} reverts the change, but ${base} still contains the change until that pull request is merged. After the merge, say on the issue what was wrong, and approve a new start.`,
        next: `${addressOf?.(revert) ?? `legion pr merge ${revert}`}; then ${approve}`,
      };
  }
}

/**
 * Explains that the revert of an issue is still open. Used for an issue that is waiting for
 * something other than the revert, or for nothing.
 */
export function explainOpenRevert(
  { ledger, repositories }: StateContext & PortContext,
  issue: IssueId,
): RolledBack | undefined {
  const undone = ledger.state.issues.get(issue)?.merged?.undone;
  const repository = repositories.find(issue);
  if (undone === undefined || repository === undefined) return undefined;
  const { revert } = undone;
  const { base, addressOf } = repository;
  return {
    text: `Pull request ${revert} reverts the change and is open: ${base} contains the change until the revert is merged.`,
    next: addressOf?.(revert) ?? `legion pr merge ${revert}`,
  };
}

/**
 * Reads the revert of an issue's merge from the forge, because people also merge or close it on the
 * forge's website. Undefined if the issue was not rolled back, or if the revert is closed or its
 * branch is gone.
 */
export async function readRevert(
  { ledger, repositories }: StateContext & PortContext,
  issue: IssueId,
): Promise<ForgePullRequest | 'unknown' | undefined> {
  const undone = ledger.state.issues.get(issue)?.merged?.undone;
  if (undone === undefined) return undefined;
  const { forge } = repositories.require(issue);
  return (await readWithLimit((signal) => forge.pullRequests([undone.branch], signal))).get(undone.branch);
}

/**
 * Says how to merge the revert: a command if Legion merges it, or a link if the forge has its own
 * website.
 */
export function explainHowToMerge({ addressOf }: Repository, number: number): string {
  return addressOf?.(number) ?? `\`legion pr merge ${number}\``;
}

/**
 * Says how to close the revert. The local forge has no command for closing a pull request, but
 * deleting the branch closes it.
 */
export function explainHowToClose({ addressOf }: Repository, branch: string): string {
  return addressOf === undefined ? `delete its branch (\`git branch -D ${branch}\`)` : 'close it there';
}

/**
 * Says how to reopen the revert. On the local forge, a pull request that lost its branch cannot be
 * reopened.
 */
export function explainHowToReopen({ addressOf }: Repository, number: number): string {
  return addressOf === undefined
    ? 'revert the merge by hand (`git revert`)'
    : `reopen it there: ${addressOf(number)}`;
}

/**
 * Lists reverts that are neither merged nor closed, because the base still contains the change that
 * they undo. Includes issues in any status. Omits an issue if `shown` already asks for approval of
 * its new start, because that item mentions the revert.
 */
export async function listOpenReverts(
  context: StateContext & PortContext,
  board: readonly Issue[],
  shown: readonly InboxItem[],
  revertStates: RevertStates,
): Promise<InboxItem[]> {
  const named = new Set(shown.flatMap(({ issue, approves }) => (approves === 'restart' ? [issue] : [])));
  const isHeld = (issue: IssueId) =>
    board.some(
      ({ id, column }) => id === issue && !isFinished(readStatus(column, context.settings().columns)),
    );
  const items: InboxItem[] = [];
  // Uses the journal instead of the board, which may no longer list a closed issue.
  for (const [issue, { merged }] of context.ledger.state.issues) {
    const undone = merged?.undone;
    if (undone === undefined || named.has(issue) || (await revertStates(issue)) !== 'open') continue;
    const explained = explainOpenRevert(context, issue);
    if (explained === undefined) continue;
    const title = board.find(({ id }) => id === issue)?.title ?? context.ledger.state.board.get(issue)?.title;
    const { next } = explained;
    const text = isHeld(issue) ? `${explained.text} Until then, no work starts on ${issue}.` : explained.text;
    items.push({ kind: 'escalation', issue, title: title ?? issue, text, since: undone.at, next });
  }
  return items;
}

export type RevertState = Exclude<RevertSignal, 'unknown'>;

/** Returns the state of an issue's revert. Undefined for an issue that was not rolled back. */
export type RevertStates = (issue: IssueId) => Promise<RevertState | undefined>;

/**
 * Short, because a person is waiting for the inbox. If the read takes longer, the inbox shows the
 * last known state.
 */
const READ_LIMIT_MS = 5_000;

/**
 * Minimum time between two reads, because an open inbox must not use up a service's rate limit. The
 * local forge is read every time.
 */
const RECHECK_MS = 60_000;

interface KnownRevert {
  readonly revert: number;
  readonly at: number;
  readonly state: RevertState;
}

/**
 * Caches the state of each rolled-back issue's revert. The state comes from the forge, because
 * people also merge or close reverts on the forge's website.
 */
export function openRevertStates({
  ledger,
  repositories,
  clock,
}: Pick<DaemonContext, 'ledger' | 'repositories' | 'clock'>): RevertStates {
  const known = new Map<IssueId, KnownRevert>();
  return async (issue) => {
    const undone = ledger.state.issues.get(issue)?.merged?.undone;
    const repository = repositories.find(issue);
    if (undone === undefined || repository === undefined) return undefined;
    const { revert, branch, landed } = undone;
    if (landed !== undefined) return 'merged';
    const last = known.get(issue);
    const before = last?.revert === revert ? last : undefined;
    const isFresh = repository.forge.kind !== 'local' && before && clock.now() - before.at < RECHECK_MS;
    if (before !== undefined && (isFresh || before.state === 'merged')) return before.state;
    // A revert whose state cannot be read keeps its last known state. If none is known, it is
    // treated as open, because an open revert must not be hidden.
    const state = (await readState(repository.forge, branch)) ?? before?.state ?? 'open';
    known.set(issue, { revert, at: clock.now(), state });
    return state;
  };
}

/** Reads the state of a revert. Undefined if the forge cannot be read at the moment. */
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

/**
 * Mentions the open pull request of a finished issue, because nothing else closes or merges it.
 * Empty if there is none, or if the forge cannot be read.
 */
export async function describeOpenPullRequest(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<string[]> {
  const found = await readPullRequest(context, issue);
  if (found?.state !== 'open') return [];
  const { number, branch } = found;
  const address = context.repositories.require(issue).addressOf?.(number);
  const where = address === undefined ? `of the branch ${branch}` : `(${address})`;
  return [`Pull request ${number} ${where} is not merged and stays open.`];
}

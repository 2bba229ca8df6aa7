/**
 * All writes to a pull request except its merge, and the creation of a pull request that reverts
 * another. Call only while holding the repository's lock.
 */
import { LegionError } from '../../../core/model/fault.ts';
import { readIssueId } from '../../../core/model/ids.ts';
import { unwrap } from '../../../lib/result.ts';
import type {
  NewPullRequest,
  NewReview,
  PullRequestLabelChange,
  PullRequestText,
  RevertRequest,
} from '../../../ports/forge.ts';
import {
  isSameName,
  refuseBranch,
  SHA,
  sanitizeBody,
  sanitizeKey,
  sanitizeLabel,
  sanitizeName,
  sanitizeTitle,
} from '../../forge-support/clean-text.ts';
import { type GitRepository, toBranchRef } from '../../forge-support/repository.ts';
import {
  createRevertCommit,
  formatRevertTitle,
  isRevertOf,
  toRevertBranch,
} from '../../forge-support/squash-message.ts';
import { MAX_COMMENT_CHARACTERS, trimToLength } from '../../tracker-support/issue-input.ts';
import type { LocalForgeContext } from './context.ts';
import { findRecord, recoverMerge, settleMerge } from './merge.ts';
import type { MergeAttempt, PullRequestRecord } from './records.ts';

/**
 * Returns the branch's open pull request, or the merged one if the branch has no commits since.
 * Otherwise opens a new one.
 */
export async function openPullRequest(
  context: LocalForgeContext,
  branch: string,
  request: NewPullRequest,
  reverts?: number,
): Promise<number> {
  const { repository, records, clock } = context;
  refuseBranch(branch, repository.base);
  const issue = unwrap(readIssueId(request.issue));
  const text = sanitizePullRequestText(request);
  const author = sanitizeName(request.author);
  const head = await repository.commit(toBranchRef(branch));
  if (head === undefined)
    throw new LegionError('forge.branch_missing', `The branch ${branch} does not exist`);
  const earlier = await findRecord(context, branch, await records.names());
  if (earlier !== undefined && (earlier.state === 'open' || earlier.merged?.headSha === head))
    return earlier.number;
  await refuseNothing(context, branch, head);

  const number = await records.nextNumber();
  await records.write({
    format: 1,
    number,
    branch,
    issue,
    author,
    ...text,
    openedAt: clock.now(),
    labels: [],
    reviews: [],
    comments: [],
    ...(reverts === undefined ? {} : { reverts }),
    state: 'open',
    attempts: [],
  });
  return number;
}

export async function updatePullRequest(
  context: LocalForgeContext,
  number: number,
  text: Partial<PullRequestText>,
): Promise<void> {
  await updateRecord(context, number, (record) => ({
    ...record,
    ...sanitizePullRequestText({ ...record, ...text }),
  }));
}

export async function updateLabels(
  context: LocalForgeContext,
  number: number,
  { add, remove }: PullRequestLabelChange,
): Promise<void> {
  const added = add.map(sanitizeLabel);
  const removed = new Set(remove.map(sanitizeLabel));
  await updateRecord(context, number, (record) => {
    const kept = record.labels.filter((name) => !removed.has(name));
    return { ...record, labels: [...new Set([...kept, ...added])] };
  });
}

export async function addComment(
  context: LocalForgeContext,
  number: number,
  key: string,
  text: string,
): Promise<void> {
  const posted = { key: sanitizeKey(key), text: sanitizeBody(text), at: context.clock.now() };
  await updateRecord(context, number, (record) =>
    record.comments.some((each) => each.key === posted.key)
      ? record
      : { ...record, comments: [...record.comments, posted] },
  );
}

/**
 * Posts a comment, or replaces the text of the comment with this key and keeps the time of the
 * original post.
 */
export async function putComment(
  context: LocalForgeContext,
  number: number,
  key: string,
  text: string,
): Promise<void> {
  const fitting = sanitizeBody(trimToLength(text, MAX_COMMENT_CHARACTERS, 'the forge'));
  const wanted = { key: sanitizeKey(key), text: fitting, at: context.clock.now() };
  await updateRecord(context, number, (record) => {
    const known = record.comments.find((each) => each.key === wanted.key);
    if (known === undefined) return { ...record, comments: [...record.comments, wanted] };
    if (known.text === wanted.text) return record;
    const edited = { ...known, text: wanted.text };
    return { ...record, comments: record.comments.map((each) => (each === known ? edited : each)) };
  });
}

/**
 * Repeating a reviewer's last review changes nothing; a different review is added and takes effect.
 */
export async function addReview(
  context: LocalForgeContext,
  number: number,
  review: NewReview,
): Promise<void> {
  const { verdict, sha } = review;
  const entry = {
    reviewer: sanitizeName(review.reviewer),
    verdict,
    sha,
    text: sanitizeBody(review.text),
    at: context.clock.now(),
  };
  if (!SHA.test(sha) || (await context.repository.commit(sha)) !== sha) {
    throw new LegionError('input.invalid', 'The reviewed commit does not exist in this repository');
  }
  await updateRecord(context, number, (record) => {
    if (isSameName(entry.reviewer, record.author)) {
      throw new LegionError(
        'forge.own_review',
        `${record.author} opened pull request ${number} and cannot review it`,
      );
    }
    const last = record.reviews.findLast(({ reviewer }) => isSameName(reviewer, entry.reviewer));
    if (last?.verdict === verdict && last.sha === sha && last.text === entry.text) return record;
    if (record.state !== 'open')
      throw new LegionError('forge.not_open', `Pull request ${number} is ${record.state}`);
    // Keeps reviews in order even if the clock was set back.
    const at = Math.max(entry.at, (record.reviews.at(-1)?.at ?? 0) + 1);
    return {
      ...record,
      reviews: [...record.reviews, { ...entry, at, reviewer: last?.reviewer ?? entry.reviewer }],
    };
  });
}

export async function closePullRequest(context: LocalForgeContext, number: number): Promise<void> {
  await updateRecord(context, number, (record) => {
    if (record.state === 'merged')
      throw new LegionError('forge.not_open', `Pull request ${number} is merged`);
    return { ...record, state: 'closed' };
  });
}

async function updateRecord(
  context: LocalForgeContext,
  number: number,
  next: (record: PullRequestRecord) => PullRequestRecord,
): Promise<void> {
  const { records } = context;
  const { record } = await recoverMerge(context, await records.byNumber(number));
  const changed = next(record);
  if (changed !== record) await records.write(changed);
}

function sanitizePullRequestText({ title, body, draft }: PullRequestText): PullRequestText {
  return { title: sanitizeTitle(title), body: sanitizeBody(body), draft };
}

async function refuseNothing(
  { repository, comparison }: LocalForgeContext,
  branch: string,
  head: string,
): Promise<void> {
  const base = await repository.commit(toBranchRef(repository.base));
  if (base === undefined)
    throw new LegionError('forge.base_missing', `The branch ${repository.base} no longer exists`);
  const common = await comparison.mergeBase(base, head);
  if (common === undefined) {
    throw new LegionError('forge.nothing_to_merge', `${branch} shares no history with ${repository.base}`);
  }
  if (common === head) {
    throw new LegionError(
      'forge.nothing_to_merge',
      `${branch} has no commits that are not on ${repository.base}`,
    );
  }
}

/**
 * Undoes a merged pull request with a new one, even if the base has moved on. A second call finds
 * the branch or pull request that the first one created.
 */
export async function openRevert(
  context: LocalForgeContext,
  number: number,
  request: RevertRequest,
): Promise<{ readonly number: number; readonly branch: string }> {
  const { repository, records, clock } = context;
  const record = await settleMerge(repository, await records.byNumber(number), clock.now());
  if (record.merged === undefined) {
    throw new LegionError('forge.not_merged', `Pull request ${number} is ${record.state}`);
  }
  const branch = toRevertBranch(number, record.branch);
  if (!(await isBranchOfRevert(repository, branch, number))) {
    await createRevertBranch(context, branch, record, record.merged, request);
  }
  const title = formatRevertTitle(record.title);
  const body = `Reverts #${number} (${record.merged.commit}).`;
  return {
    number: await openPullRequest(context, branch, { ...request, title, body, draft: false }, number),
    branch,
  };
}

/** Returns whether the revert branch exists. Throws if an unrelated branch has its name. */
async function isBranchOfRevert(repository: GitRepository, branch: string, number: number): Promise<boolean> {
  const head = await repository.commit(toBranchRef(branch));
  if (head === undefined) return false;
  if (await isRevertOf(repository, head, toBranchRef(repository.base), number)) return true;
  throw new LegionError('forge.branch_refused', `An unrelated branch ${branch} already exists`);
}

async function createRevertBranch(
  { repository, identity }: LocalForgeContext,
  branch: string,
  { number, title }: PullRequestRecord,
  { commit, baseSha: before }: MergeAttempt,
  { issue }: RevertRequest,
): Promise<void> {
  const base = await repository.commit(toBranchRef(repository.base));
  if (base === undefined)
    throw new LegionError('forge.base_missing', `The branch ${repository.base} no longer exists`);
  const to = await createRevertCommit(repository, { number, title, commit, before, base, issue, identity });
  if (await repository.transact([{ ref: toBranchRef(branch), to, from: undefined }])) return;
  throw new LegionError('git.failed', `git could not create the branch ${branch}`);
}

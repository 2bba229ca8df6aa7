/** Everything that is written about a pull request but its merge; each only under the lock of the repository. */

import { LegionError } from '../../core/model/fault.ts';
import { readIssueId } from '../../core/model/ids.ts';
import { branchRef } from '../../integrations/forge-support/repository.ts';
import { recordOf } from '../../integrations/local/forge/read.ts';
import { unwrap } from '../../lib/result.ts';
import type {
  NewPullRequest,
  NewReview,
  PullRequestLabelChange,
  PullRequestText,
} from '../../ports/forge.ts';
import { refuseBranch } from '../branch-name.ts';
import { cleanBody, cleanKey, cleanLabel, cleanName, cleanTitle, sameName } from '../clean-text.ts';
import { SHA } from '../sha.ts';
import type { Desk } from './desk.ts';
import type { PullRequestRecord } from './record.ts';
import { finish } from './settle.ts';

/** The open one of this branch, or the merged one if nothing was committed since; else a new one. */
export async function open(
  desk: Desk,
  branch: string,
  asked: NewPullRequest,
  reverts?: number,
): Promise<number> {
  const { repository, records, clock } = desk;
  refuseBranch(branch, repository.base);
  const issue = unwrap(readIssueId(asked.issue));
  const text = cleanText(asked);
  const author = cleanName(asked.author);
  const head = await repository.commit(branchRef(branch));
  if (head === undefined) throw new LegionError('forge.branch_missing', `there is no branch ${branch}`);
  const earlier = await recordOf(desk, branch, await records.names());
  if (earlier !== undefined && (earlier.state === 'open' || earlier.merged?.headSha === head))
    return earlier.number;
  await refuseNothing(desk, branch, head);

  const number = await records.nextNumber();
  await records.write({
    format: 1,
    number,
    branch,
    issue: issue,
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

export async function edit(desk: Desk, number: number, text: Partial<PullRequestText>): Promise<void> {
  await change(desk, number, (record) => ({ ...record, ...cleanText({ ...record, ...text }) }));
}

export async function label(
  desk: Desk,
  number: number,
  { add, remove }: PullRequestLabelChange,
): Promise<void> {
  const added = add.map(cleanLabel);
  const removed = new Set(remove.map(cleanLabel));
  await change(desk, number, (record) => {
    const kept = record.labels.filter((name) => !removed.has(name));
    return { ...record, labels: [...new Set([...kept, ...added])] };
  });
}

export async function comment(desk: Desk, number: number, key: string, text: string): Promise<void> {
  const posted = { key: cleanKey(key), text: cleanBody(text), at: desk.clock.now() };
  await change(desk, number, (record) =>
    record.comments.some((each) => each.key === posted.key)
      ? record
      : { ...record, comments: [...record.comments, posted] },
  );
}

/** Said again by the same reviewer it is one review; said after something else it is a new one, which counts. */
export async function review(desk: Desk, number: number, given: NewReview): Promise<void> {
  const { verdict, sha } = given;
  const made = {
    reviewer: cleanName(given.reviewer),
    verdict,
    sha,
    text: cleanBody(given.text),
    at: desk.clock.now(),
  };
  if (!SHA.test(sha) || (await desk.repository.commit(sha)) !== sha) {
    throw new LegionError('input.invalid', 'the review names no commit of this repository');
  }
  await change(desk, number, (record) => {
    if (sameName(made.reviewer, record.author)) {
      throw new LegionError('forge.own_review', `${record.author} opened pull request ${number}`);
    }
    const last = record.reviews.findLast(({ reviewer }) => sameName(reviewer, made.reviewer));
    if (last?.verdict === verdict && last.sha === sha && last.text === made.text) return record;
    if (record.state !== 'open')
      throw new LegionError('forge.not_open', `pull request ${number} is ${record.state}`);
    // By a clock that was set back the later review would be the earlier one.
    const at = Math.max(made.at, (record.reviews.at(-1)?.at ?? 0) + 1);
    return {
      ...record,
      reviews: [...record.reviews, { ...made, at, reviewer: last?.reviewer ?? made.reviewer }],
    };
  });
}

export async function abandon(desk: Desk, number: number): Promise<void> {
  await change(desk, number, (record) => {
    if (record.state === 'merged')
      throw new LegionError('forge.not_open', `pull request ${number} is merged`);
    return { ...record, state: 'closed' };
  });
}

async function change(
  desk: Desk,
  number: number,
  next: (record: PullRequestRecord) => PullRequestRecord,
): Promise<void> {
  const { records } = desk;
  const { record } = await finish(desk, await records.byNumber(number));
  const changed = next(record);
  if (changed !== record) await records.write(changed);
}

function cleanText({ title, body, draft }: PullRequestText): PullRequestText {
  return { title: cleanTitle(title), body: cleanBody(body), draft };
}

async function refuseNothing({ repository, comparison }: Desk, branch: string, head: string): Promise<void> {
  const base = await repository.commit(branchRef(repository.base));
  if (base === undefined)
    throw new LegionError('forge.base_missing', `the branch ${repository.base} is gone`);
  const common = await comparison.mergeBase(base, head);
  if (common === undefined) {
    throw new LegionError('forge.nothing_to_merge', `${branch} shares no history with ${repository.base}`);
  }
  if (common === head) {
    throw new LegionError(
      'forge.nothing_to_merge',
      `${branch} has no commit that ${repository.base} has not`,
    );
  }
}

/** Squashes a pull request onto its base on GitHub, if both still stand where they were checked. */
import { type FaultCode, LegionError } from '../../core/model/fault.ts';
import { plainLine, plainText } from '../../domain/plain-text.ts';
import { accountName } from '../../github/actor.ts';
import { mergeInMemory } from '../../integrations/forge-support/compare.ts';
import { pullRequestMarkIn, withoutMark } from '../../integrations/github/forge/legion-marks.ts';
import type { MergePullRequestMutation } from '../../integrations/github/generated/forge.ts';
import type { CheckedAt, Merged } from '../../ports/forge.ts';
import { squashMessage } from '../squash-message.ts';
import { askMerge, isKnown, type MergeAnswer, type MergeCommit } from './ask-merge.ts';
import type { Desk } from './desk.ts';
import { protectionOf } from './protection.ts';
import { MERGE } from './write-documents.ts';

/**
 * Only under the lock of the clone, so that nobody of this machine moves the base after the look. GitHub itself compares the head
 * but not the base: what somebody else lands in the moment between is told in a note.
 */
export async function merge(desk: Desk, number: number, at: CheckedAt): Promise<Merged> {
  const before = await askMerge(desk, number);
  const done = mergedAs(before, at);
  if (done !== undefined) return done;
  await refuseUnmergeable(desk, before, at);
  try {
    const { mergePullRequest } = await desk.client.mutate<MergePullRequestMutation>(
      MERGE,
      { input: inputOf(desk, before, at) },
      {
        as: 'impl',
      },
    );
    const mergeCommit = mergePullRequest?.pullRequest?.mergeCommit ?? null;
    if (mergeCommit !== null) return merged(mergeCommit, at);
    throw new LegionError('github.unavailable', `GitHub does not say what pull request ${number} became`);
  } catch (error) {
    return await afterFailure(desk, number, at, error);
  } finally {
    desk.changed(before.pullRequest.headRefName);
  }
}

/** It may have been merged although no answer came; and what GitHub refuses in words has mostly a fault of its own. */
async function afterFailure(desk: Desk, number: number, at: CheckedAt, error: unknown): Promise<Merged> {
  if (!(error instanceof LegionError) || desk.closing.aborted) throw error;
  const after = await askMerge(desk, number);
  const done = mergedAs(after, at);
  if (done !== undefined) return done;
  if (error.code === 'github.unavailable') throw error;
  await refuseUnmergeable(desk, after, at);
  const code = REFUSALS.find(([words]) => words.test(error.message))?.[1];
  throw code === undefined ? error : new LegionError(code, error.message, { cause: error });
}

const REFUSALS: readonly (readonly [RegExp, FaultCode])[] = [
  [/Head branch was modified/i, 'forge.head_moved'],
  [/Base branch was modified/i, 'forge.base_moved'],
  [/\bdraft\b/i, 'forge.draft'],
  [/not mergeable|merge conflict/i, 'forge.conflict'],
  [
    /rule violation|required status check|approving review|changes have been requested|protected branch|merge queue|not authorized to/i,
    'forge.protected',
  ],
];

function mergedAs({ pullRequest }: MergeAnswer, at: CheckedAt): Merged | undefined {
  const { state, mergeCommit, headRefOid } = pullRequest;
  if (state !== 'MERGED' || mergeCommit === null) return undefined;
  // Merged long ago, and by whomever, its base is nobody's question any more.
  return headRefOid === at.headSha ? merged(mergeCommit, at) : { mergedSha: mergeCommit.oid };
}

function merged({ oid, parents }: MergeCommit, { baseSha }: CheckedAt): Merged {
  const onto = parents.nodes?.[0]?.oid;
  return onto === undefined || onto === baseSha
    ? { mergedSha: oid }
    : { mergedSha: oid, note: `it landed on ${onto}, checked was ${baseSha}: the base moved in that moment` };
}

async function refuseUnmergeable(desk: Desk, answer: MergeAnswer, at: CheckedAt): Promise<void> {
  const { number, state, isDraft, headRef, headRefName, headRefOid, mergeable, mergeStateStatus } =
    answer.pullRequest;
  const baseOid = answer.base?.target?.oid;
  // GitHub closes what has lost its branch.
  if (headRef === null && state !== 'MERGED')
    throw new LegionError('forge.branch_missing', `there is no branch ${headRefName}`);
  if (state !== 'OPEN')
    throw new LegionError('forge.not_open', `pull request ${number} is ${state.toLowerCase()}`);
  if (isDraft) throw new LegionError('forge.draft', `pull request ${number} is a draft`);
  if (headRefOid !== at.headSha)
    throw new LegionError(
      'forge.head_moved',
      `${headRefName} is at ${headRefOid}, checked was ${at.headSha}`,
    );
  if (baseOid !== at.baseSha)
    throw new LegionError('forge.base_moved', `${desk.base} is at ${baseOid}, checked was ${at.baseSha}`);
  if (mergeable === 'CONFLICTING' || mergeStateStatus === 'DIRTY')
    throw new LegionError('forge.conflict', `${headRefName}: conflicts${await conflictsIn(desk, at)}`);
  if (!isKnown(answer))
    throw new LegionError(
      'forge.mergeability_unknown',
      `GitHub does not know yet whether pull request ${number} can be merged`,
    );
  const wanting = protectionOf(answer);
  if (wanting !== undefined) throw new LegionError('forge.protected', `pull request ${number}: ${wanting}`);
}

/** GitHub does not say where; git does, if it can. */
async function conflictsIn({ clone }: Desk, { headSha, baseSha }: CheckedAt): Promise<string> {
  try {
    await clone.bring([baseSha, headSha]);
    const result = await mergeInMemory(clone.repository, baseSha, headSha);
    return 'conflicts' in result ? ` in ${result.conflicts.join(', ')}` : '';
  } catch {
    return '';
  }
}

function inputOf(desk: Desk, { pullRequest }: MergeAnswer, { headSha }: CheckedAt) {
  const { id, number, title, body, headRefName, author } = pullRequest;
  const mark = desk.isLegion(accountName(author)) ? pullRequestMarkIn(body) : undefined;
  const place = desk.issueOf(headRefName);
  const message = squashMessage({
    number,
    title: plainLine(title),
    body: plainText(withoutMark(body)),
    headSha,
    issue: mark?.issue,
    closes: place && `${place.owner}/${place.repo}#${place.number}`,
    reverts: mark?.reverts,
  });
  const [commitHeadline = '', ...rest] = message.split('\n');
  const commitBody = rest.join('\n').trim();
  return { pullRequestId: id, expectedHeadOid: headSha, mergeMethod: 'SQUASH', commitHeadline, commitBody };
}

/** Builds the messages of squash commits and reverts, and the revert's commit. */
import { LegionError } from '../../core/model/fault.ts';
import { mergeInMemory } from './compare.ts';
import type { GitRepository } from './repository.ts';

/** Maximum length of the body. Longer texts belong in the pull request, not in the history. */
const MAX_BODY_CHARACTERS = 8_192;

/** Matches a closing keyword and the issue that follows it. */
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+([\w.-]*(?:\/[\w.-]+)?#\d+|[A-Za-z0-9][\w.-]*)/gi;

export interface SquashMessageInput {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly headSha: string;
  /** Absent if the pull request belongs to no issue. */
  readonly issue?: string | undefined;
  /** The issue as written after a closing keyword. Defaults to its id. */
  readonly closes?: string | undefined;
  /** The pull request that this one undoes. */
  readonly reverts?: number | undefined;
}

/**
 * Puts the trailers in a separate last paragraph, so that text in the body cannot pass for a
 * trailer.
 */
export function buildSquashMessage(input: SquashMessageInput): string {
  const { number, title, headSha, issue, closes = issue, reverts } = input;
  const body = input.body.slice(0, MAX_BODY_CHARACTERS).trim();
  const trailers = [
    ...(issue === undefined ? [] : [`Legion-Issue: ${issue}`]),
    `Legion-Pull-Request: ${number}`,
    `Legion-Head: ${headSha}`,
    ...(reverts === undefined ? [] : [formatRevertTrailer(reverts)]),
  ];
  const isNamed = reverts !== undefined || issue === undefined || hasClosingReference(body, issue); // a revert closes no issue
  const closing = isNamed ? '' : `Closes ${closes}`;
  const paragraphs = [`${title} (#${number})`, body, closing, trailers.join('\n')];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

const formatRevertTrailer = (number: number): string => `Legion-Reverts: ${number}`;

/**
 * Also accepts a number after `#` as a closing reference. Such a number refers to another tracker's
 * issue, because Legion's own issues are referred to by id.
 */
function hasClosingReference(body: string, issue: string): boolean {
  return [...body.matchAll(CLOSING)].some(([, named = '']) => {
    const bare = named.replace(/\.+$/, '').toLowerCase();
    return bare.includes('#') || bare === issue.toLowerCase();
  });
}

export interface RevertCommitInput {
  /** The pull request to undo. */
  readonly number: number;
  readonly title: string;
  /** The commit that merging the pull request created on the base. */
  readonly commit: string;
  /** The base commit before the merge. */
  readonly before: string;
  /** The current base commit. */
  readonly base: string;
  readonly issue: string;
  /** The commit identity as git's environment variables. */
  readonly identity: Readonly<Record<string, string>>;
}

/**
 * Creates a commit that undoes a merged one on top of a base that may have moved on. Resolves to
 * the new commit, which no reference points to yet.
 */
export async function createRevertCommit(
  repository: GitRepository,
  input: RevertCommitInput,
): Promise<string> {
  const { number, title, commit, before, base, issue, identity } = input;
  const make = async (tree: string, parent: string, message: string) => {
    const args = ['commit-tree', tree, '-p', parent];
    return (await repository.run(args, { input: message, env: identity })).out.trim();
  };
  // This commit undoes the merge and follows it directly. Merging this commit into the base applies
  // only the undo.
  const undone = await make(`${before}^{tree}`, commit, 'undo');
  const result = await mergeInMemory(repository, base, undone);
  if ('conflicts' in result) {
    const conflict = `${commit} conflicts with ${repository.base} in ${result.conflicts.join(', ')}`;
    throw new LegionError('forge.revert_conflict', conflict);
  }
  const { out: tree } = await repository.run(['rev-parse', `${base}^{tree}`]);
  if (tree.trim() === result.tree) {
    throw new LegionError('forge.nothing_to_merge', `Pull request ${number} has nothing left to undo`);
  }
  const trailers = `Legion-Issue: ${issue}\n${formatRevertTrailer(number)}`;
  return make(
    result.tree,
    base,
    `${formatRevertTitle(title)}\n\nThis reverts commit ${commit}.\n\n${trailers}\n`,
  );
}

/**
 * Truncates a long title. The number of the undone pull request is in the text as well, so the pull
 * request can still be identified.
 */
export function formatRevertTitle(title: string): string {
  return `Revert "${title.slice(0, 240)}"`;
}

export const toRevertBranch = (number: number, branch: string): string => `revert-${number}-${branch}`;

/**
 * Returns whether `createRevertCommit` created this head in order to undo this pull request.
 * Searches the commits since `base`.
 */
export async function isRevertOf(
  repository: GitRepository,
  head: string,
  base: string,
  number: number,
): Promise<boolean> {
  const { out } = await repository.run(['log', '--format=%B', `${base}..${head}`]);
  const { out: own } = await repository.run(['log', '-1', '--format=%B', head]);
  return `${out}\n${own}`.split('\n').includes(formatRevertTrailer(number));
}

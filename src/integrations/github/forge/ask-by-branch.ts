/** Reads the pull requests of many branches in one request and picks one per branch. */
import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { createCursorCheck } from '../../../lib/paginate.ts';
import { readIsolated } from '../../../lib/read-isolated.ts';
import { unwrap } from '../../../lib/result.ts';
import { toBranchRef } from '../../forge-support/repository.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';
import { toRefusalFault } from '../client/answer-fault.ts';
import type { GithubRefusal, GithubVariables } from '../client/client.ts';
import type { IssueReference } from '../client/issue-reference.ts';
import type { PullRequestsOfBranchQuery, PullRequestsQuery } from '../generated/forge.ts';
import {
  attachedAnswer,
  candidatesPage,
  type FullPullRequest,
  type LightPullRequest,
  type LinkedPullRequest,
  ofBranchAnswer,
  ofIssueAnswer,
} from './answer-schemas.ts';
import type { GithubForgeContext } from './context.ts';
import { buildBranchQuery, CANDIDATES, PAGE } from './documents.ts';
import type { BatchSize, PullRequestDetail } from './full-answers.ts';
import { chooseLinked, chooseOfBranch, choosePullRequest } from './pull-request.ts';

export interface PullRequestsRequest {
  readonly kind: PullRequestDetail;
  readonly size: BatchSize;
  readonly branches: readonly string[];
  /** Returns whether to search for the branch's pull request by its issue as well. */
  readonly byIssue: (branch: string) => boolean;
  /** Whether to request the names of checks. */
  readonly names: boolean;
}

export type FoundPullRequest = LightPullRequest & Partial<FullPullRequest>;

export interface PullRequestsBatch {
  readonly found: ReadonlyMap<string, FoundPullRequest | 'none' | 'unknown'>;
  readonly baseSha: string;
  /** Names of the checks that the base's protection requires. */
  readonly required: readonly string[];
  /** Whether the response includes the names of checks. */
  readonly names: boolean;
  /**
   * Reasons why the response is incomplete, by branch. For these branches, a missing entry does not
   * prove that there is no pull request.
   */
  readonly partial: ReadonlyMap<string, string>;
}

export interface PullRequestsByBranch {
  /** One batch per answered request. */
  readonly answers: readonly PullRequestsBatch[];
  /** Reasons why GitHub refuses a request, by branch. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Halves a refused request repeatedly, until the branch that caused the refusal is alone. */
export async function askByBranch(
  context: GithubForgeContext,
  request: PullRequestsRequest,
  signal: AbortSignal,
): Promise<PullRequestsByBranch> {
  const { kind, size, branches } = request;
  const answers: PullRequestsBatch[] = [];
  const refusals = new Map<string, LegionError>();
  await readIsolated({
    items: branches,
    batch: size.of(kind),
    read: async (batch) => {
      try {
        answers.push(await askOnce(context, { ...request, branches: batch }, signal));
      } catch (error) {
        if (!signal.aborted) size.recordFailure(kind, batch.length);
        throw error;
      }
    },
    // A missing repository or base affects every branch.
    isolates: ({ code }) => code === 'github.refused',
    refuse: (branch, reason) => refusals.set(branch, reason),
  });
  const [reason] = refusals.values();
  // If every branch is refused, the cause cannot be a single branch.
  if (reason !== undefined && answers.length === 0) throw reason;
  if (reason !== undefined) context.reportProblem(reason);
  else if (answers.length > 0) size.recordSuccess(kind);
  return { answers, refused: new Map([...refusals].map(([branch, { message }]) => [branch, message])) };
}

/** Each alias is decoded separately. */
type PullRequestQueryResult = Partial<Pick<PullRequestsQuery, 'base'>> & Readonly<Record<string, unknown>>;

async function askOnce(
  context: GithubForgeContext,
  request: PullRequestsRequest,
  signal: AbortSignal,
): Promise<PullRequestsBatch> {
  const { branches, kind } = request;
  const references = branches.map((branch) =>
    request.byIssue(branch) ? findIssueReference(context, branch) : undefined,
  );
  const links = references.flatMap((reference, at) => (reference === undefined ? [] : [at]));
  const attached = listAttachedNumbers(context, branches.filter(request.byIssue));
  const document = buildBranchQuery(kind === 'Full' ? 'PullRequests' : 'PullRequestDigest', kind, {
    branches: branches.length,
    links,
    attached: attached.length,
  });
  const variables = {
    ...buildBaseVariables(context),
    ref: toBranchRef(context.base),
    contexts: request.names ? PAGE : 1,
    ...Object.fromEntries(branches.map((branch, at) => [`b${at}`, branch])),
    ...Object.fromEntries(attached.map(({ number }, at) => [`a${at}`, number])),
    ...Object.fromEntries(
      links.flatMap((at) => {
        const reference = references[at];
        return [
          [`o${at}`, reference?.owner],
          [`r${at}`, reference?.repo],
          [`n${at}`, reference?.number],
        ];
      }),
    ),
  };
  const { answer, refusals } = await fetchWholeOrPartial(context, document, variables, signal);
  const partial = new Map(mapPartialBranches(refusals, branches, attached));
  const pullRequests = new Map<string, FoundPullRequest | 'none' | 'unknown'>();
  for (const [at, branch] of branches.entries()) {
    const isPartial = partial.has(branch);
    try {
      const ofBranch = readAlias(ofBranchAnswer[kind], answer[`b${at}`]);
      const linked = [
        ...listLinked(readAlias(ofIssueAnswer, answer[`l${at}`]), links.includes(at), isPartial),
        ...attached.flatMap((each, index) =>
          each.branch === branch
            ? listAttached(readAlias(attachedAnswer, answer[`a${index}`]), isPartial)
            : [],
        ),
      ];
      pullRequests.set(branch, await resolvePullRequest(context, branch, ofBranch, linked, signal));
    } catch (error) {
      if (!(error instanceof LegionError) || error.code !== 'input.invalid') throw error;
      // A malformed pull request affects only its own branch.
      pullRequests.set(branch, 'unknown');
      partial.set(branch, error.message);
    }
  }
  const { base = null } = answer;
  return { found: pullRequests, partial, names: request.names, ...requireBase(context, base) };
}

interface PartialQueryResult {
  readonly answer: PullRequestQueryResult;
  readonly refusals: readonly GithubRefusal[];
}

/**
 * Retries once after a temporary failure. If it persists, accepts a partial response, so that one
 * broken pull request does not hide the others.
 */
async function fetchWholeOrPartial(
  { client, reportProblem }: GithubForgeContext,
  document: string,
  variables: GithubVariables,
  signal: AbortSignal,
): Promise<PartialQueryResult> {
  const send = async (): Promise<PartialQueryResult> => {
    const { data, refusals } = await client.queryPartially<PullRequestQueryResult>(document, variables, {
      signal,
    });
    // The issue may be deleted or invisible to us, which only means that there is no link.
    return { answer: data, refusals: refusals.filter(({ code }) => code !== 'github.missing') };
  };
  const isTemporary = ({ refusals }: PartialQueryResult) =>
    refusals.some(({ code }) => code === 'github.unavailable');
  const first = await send().catch((error: unknown) => {
    const mayPass = error instanceof LegionError && error.code === 'github.unavailable';
    if (!mayPass || signal.aborted) throw error;
    return undefined;
  });
  const result = first === undefined || isTemporary(first) ? await send() : first;
  const [refusal] = result.refusals;
  if (refusal === undefined) return result;
  const { base = null } = result.answer;
  if (base === null) throw toRefusalFault(refusal);
  reportProblem(toRefusalFault(refusal));
  return result;
}

/** Maps refusals to branches by alias. A refusal of the base concerns all branches. */
function mapPartialBranches(
  refusals: readonly GithubRefusal[],
  branches: readonly string[],
  attached: readonly { readonly branch: string }[],
): ReadonlyMap<string, string> {
  return new Map(
    refusals.flatMap(({ path, message }): [string, string][] => {
      const [, kind, index] = /^([abl])(\d+)$/.exec(String(path[0])) ?? [];
      if (kind === undefined) return branches.map((branch) => [branch, message]);
      const branch = kind === 'a' ? attached[Number(index)]?.branch : branches[Number(index)];
      return branch === undefined ? [] : [[branch, message]];
    }),
  );
}

function findIssueReference({ issueOf }: GithubForgeContext, branch: string): IssueReference | undefined {
  const reference = issueOf(branch);
  return reference !== undefined && isGithubNumber(reference.number) ? reference : undefined;
}

function requireBase(
  { repo, base }: GithubForgeContext,
  answer: PullRequestsQuery['base'],
): Pick<PullRequestsBatch, 'baseSha' | 'required'> {
  if (answer === null)
    throw new LegionError(
      'github.missing',
      `The repository ${repo.owner}/${repo.name} is not visible on GitHub`,
    );
  const sha = answer.ref?.target?.oid;
  if (sha === undefined)
    throw new LegionError('forge.base_missing', `The branch ${base} does not exist on GitHub`);
  return {
    baseSha: sha,
    required: (answer.ref?.refUpdateRule?.requiredStatusCheckContexts ?? []).filter((name) => name !== null),
  };
}

async function resolvePullRequest(
  context: GithubForgeContext,
  branch: string,
  ofBranch: z.output<(typeof ofBranchAnswer)[PullRequestDetail]>,
  linked: readonly (LinkedPullRequest | null)[],
  signal: AbortSignal,
): Promise<FoundPullRequest | 'none' | 'unknown'> {
  if (ofBranch === null || ofBranch === undefined) return 'unknown';
  const chosen = chooseOfBranch(ofBranch);
  const own = chosen === 'more' ? await findAmongAll(context, branch, signal) : chosen;
  if (own !== 'none') return own;
  const choice = chooseLinked(linked, context.repo, context.base);
  return choice === 'more' ? 'none' : choice;
}

/**
 * If a partial response lacks the links, returns a list that contains null, because the wanted pull
 * request may be among the missing links.
 */
function listLinked(
  ofIssue: z.output<typeof ofIssueAnswer>,
  isRequested: boolean,
  isPartial: boolean,
): readonly (LinkedPullRequest | null)[] {
  if (!isRequested) return [];
  return ofIssue?.issue?.closedByPullRequestsReferences?.nodes ?? (isPartial ? [null] : []);
}

function listAttached(
  answer: z.output<typeof attachedAnswer>,
  isPartial: boolean,
): readonly (LinkedPullRequest | null)[] {
  const pullRequest = answer?.pullRequest ?? null;
  return pullRequest === null && !isPartial ? [] : [pullRequest];
}

/**
 * Maximum number of attachments read per issue, newest first. An issue that is worked on again has
 * one attachment per round.
 */
const MAX_ATTACHED = 3;

function listAttachedNumbers({ attached }: GithubForgeContext, branches: readonly string[]) {
  return branches.flatMap((branch) =>
    [...new Set(attached(branch).filter(isGithubNumber))]
      .toSorted((one, other) => other - one)
      .slice(0, MAX_ATTACHED)
      .map((number) => ({ branch, number })),
  );
}

/** Reads page by page until it finds the open pull request or reaches the end. */
async function findAmongAll(
  context: GithubForgeContext,
  branch: string,
  signal: AbortSignal,
): Promise<FoundPullRequest | 'none' | 'unknown'> {
  const nodes: (LightPullRequest | LinkedPullRequest | null)[] = [];
  const checkCursor = createCursorCheck();
  for (let after: string | null = null; ; ) {
    const variables: GithubVariables = { ...buildBaseVariables(context), branch, after, contexts: 1 };
    const { repository } = await context.client.query<PullRequestsOfBranchQuery>(CANDIDATES, variables, {
      signal,
    });
    const page = unwrap(decode(candidatesPage, repository?.pullRequests, 'pull requests'));
    nodes.push(...(page.nodes ?? [null]));
    const choice = choosePullRequest(nodes, page.pageInfo.hasNextPage);
    if (choice !== 'more') return choice;
    after = checkCursor(page.pageInfo.endCursor);
  }
}

function readAlias<T>(schema: z.ZodType<T>, answer: unknown): T {
  return unwrap(decode(schema, answer, 'pull request'));
}

function buildBaseVariables({ repo, base }: GithubForgeContext): GithubVariables {
  return { owner: repo.owner, name: repo.name, into: base };
}

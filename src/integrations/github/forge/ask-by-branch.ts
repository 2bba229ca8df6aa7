/** Asks GitHub for the pull requests of many branches in one request, and says which one is each branch's. */
import type { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import { decode } from '../../../domain/decode.ts';
import type { BatchSize, Kind } from '../../../forges/github/batch-size.ts';
import { choose, chooseLinked, chooseOfBranch } from '../../../forges/github/choose.ts';
import type { Desk } from '../../../forges/github/desk.ts';
import type { Refusal, Variables } from '../../../github/client.ts';
import { isGithubNumber } from '../../../github/number-range.ts';
import { refusalFault } from '../../../github/refusals.ts';
import { cursorCheck } from '../../../lib/paginate.ts';
import { readIsolated } from '../../../lib/read-isolated.ts';
import { unwrap } from '../../../lib/result.ts';
import { branchRef } from '../../forge-support/repository.ts';
import type { IssuePlace } from '../client/issue-reference.ts';
import type { PullRequestsOfBranchQuery, PullRequestsQuery } from '../generated/forge.ts';
import type { FullPullRequest, LightPullRequest, LinkedPullRequest } from './answer-schemas.ts';
import { attachedAnswer, candidatesPage, ofBranchAnswer, ofIssueAnswer } from './answer-schemas.ts';
import { byBranch, CANDIDATES, PAGE } from './documents.ts';

export interface Asked {
  readonly kind: Kind;
  readonly size: BatchSize;
  readonly branches: readonly string[];
  /** Whether a branch is to be looked for by its issue, too. */
  readonly byIssue: (branch: string) => boolean;
  /** Whether the names of checks are wanted. */
  readonly names: boolean;
}

export type Found = LightPullRequest & Partial<FullPullRequest>;

export interface Answered {
  readonly found: ReadonlyMap<string, Found | 'none' | 'unknown'>;
  readonly baseSha: string;
  /** Names of checks that the base's protection asks for. */
  readonly required: readonly string[];
  /** Whether the names of checks are in it. */
  readonly names: boolean;
  /** Why half of what belongs to some branches may be missing: nothing then means "none" for sure. */
  readonly partial: ReadonlyMap<string, string>;
}

export interface AskedByBranch {
  /** One for each request that was answered. */
  readonly answers: readonly Answered[];
  /** Why GitHub refuses to be asked for some branches. */
  readonly refused: ReadonlyMap<string, string>;
}

/** A request that is refused for one of its branches is halved until that branch is alone. */
export async function askByBranch(desk: Desk, asked: Asked, signal: AbortSignal): Promise<AskedByBranch> {
  const { kind, size, branches } = asked;
  const answers: Answered[] = [];
  const refusals = new Map<string, LegionError>();
  await readIsolated({
    items: branches,
    batch: size.of(kind),
    read: async (some) => {
      try {
        answers.push(await askOnce(desk, { ...asked, branches: some }, signal));
      } catch (error) {
        if (!signal.aborted) size.failed(kind, some.length);
        throw error;
      }
    },
    // A repository or a base that is not there is not there for every branch.
    isolates: ({ code }) => code === 'github.refused',
    refuse: (branch, reason) => refusals.set(branch, reason),
  });
  const [reason] = refusals.values();
  // Where every branch is refused, it is not for the sake of one.
  if (reason !== undefined && answers.length === 0) throw reason;
  if (reason !== undefined) desk.complain(reason);
  else if (answers.length > 0) size.worked(kind);
  return { answers, refused: new Map([...refusals].map(([branch, { message }]) => [branch, message])) };
}

/** Each alias is read by itself. */
type Answer = Partial<Pick<PullRequestsQuery, 'base'>> & Readonly<Record<string, unknown>>;

async function askOnce(desk: Desk, asked: Asked, signal: AbortSignal): Promise<Answered> {
  const { branches, kind } = asked;
  const places = branches.map((branch) => (asked.byIssue(branch) ? placeOf(desk, branch) : undefined));
  const links = places.flatMap((place, at) => (place === undefined ? [] : [at]));
  const attached = attachedTo(desk, branches.filter(asked.byIssue));
  const document = byBranch(kind === 'Full' ? 'PullRequests' : 'PullRequestDigest', kind, {
    ...{ branches: branches.length, links },
    attached: attached.length,
  });
  const variables = {
    ...fixed(desk),
    ref: branchRef(desk.base),
    contexts: asked.names ? PAGE : 1,
    ...Object.fromEntries(branches.map((branch, at) => [`b${at}`, branch])),
    ...Object.fromEntries(attached.map(({ number }, at) => [`a${at}`, number])),
    ...Object.fromEntries(
      links.flatMap((at) => {
        const place = places[at];
        return [
          [`o${at}`, place?.owner],
          [`r${at}`, place?.repo],
          [`n${at}`, place?.number],
        ];
      }),
    ),
  };
  const { answer, refusals } = await wholeOrPartial(desk, document, variables, signal);
  const partial = new Map(partialBranches(refusals, branches, attached));
  const found = new Map<string, Found | 'none' | 'unknown'>();
  for (const [at, branch] of branches.entries()) {
    const isPartial = partial.has(branch);
    try {
      const ofBranch = readAlias(ofBranchAnswer[kind], answer[`b${at}`]);
      const linked = [
        ...linksIn(readAlias(ofIssueAnswer, answer[`l${at}`]), links.includes(at), isPartial),
        ...attached.flatMap((each, index) =>
          each.branch === branch ? attachedIn(readAlias(attachedAnswer, answer[`a${index}`]), isPartial) : [],
        ),
      ];
      found.set(branch, await foundFor(desk, branch, ofBranch, linked, signal));
    } catch (error) {
      if (!(error instanceof LegionError) || error.code !== 'input.invalid') throw error;
      // A malformed pull request concerns its own branch.
      found.set(branch, 'unknown');
      partial.set(branch, error.message);
    }
  }
  const { base = null } = answer;
  return { found, partial, names: asked.names, ...baseIn(desk, base) };
}

interface PartialBranches {
  readonly answer: Answer;
  readonly refusals: readonly Refusal[];
}

/** What may pass is asked for once more; after that one broken pull request must not hide the others. */
async function wholeOrPartial(
  { client, complain }: Desk,
  document: string,
  variables: Variables,
  signal: AbortSignal,
): Promise<PartialBranches> {
  const ask = async (): Promise<PartialBranches> => {
    const { data, refusals } = await client.queryPartially<Answer>(document, variables, { signal });
    // An issue may be gone, or nowhere we may look: then there is no link.
    return { answer: data, refusals: refusals.filter(({ code }) => code !== 'github.missing') };
  };
  const isPassing = ({ refusals }: PartialBranches) =>
    refusals.some(({ code }) => code === 'github.unavailable');
  const first = await ask().catch((error: unknown) => {
    const mayPass = error instanceof LegionError && error.code === 'github.unavailable';
    if (!mayPass || signal.aborted) throw error;
    return undefined;
  });
  const found = first === undefined || isPassing(first) ? await ask() : first;
  const [refusal] = found.refusals;
  if (refusal === undefined) return found;
  const { base = null } = found.answer;
  if (base === null) throw refusalFault(refusal);
  complain(refusalFault(refusal));
  return found;
}

/** By the aliases that each branch was asked for by; what concerns the base concerns all of them. */
function partialBranches(
  refusals: readonly Refusal[],
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

function placeOf({ issueOf }: Desk, branch: string): IssuePlace | undefined {
  const place = issueOf(branch);
  return place !== undefined && isGithubNumber(place.number) ? place : undefined;
}

function baseIn(
  { repo, base }: Desk,
  answer: PullRequestsQuery['base'],
): Pick<Answered, 'baseSha' | 'required'> {
  if (answer === null) throw new LegionError('github.missing', `GitHub shows no ${repo.owner}/${repo.name}`);
  const sha = answer.ref?.target?.oid;
  if (sha === undefined) throw new LegionError('forge.base_missing', `the branch ${base} is not on GitHub`);
  return {
    baseSha: sha,
    required: (answer.ref?.refUpdateRule?.requiredStatusCheckContexts ?? []).filter((name) => name !== null),
  };
}

async function foundFor(
  desk: Desk,
  branch: string,
  ofBranch: z.output<(typeof ofBranchAnswer)[Kind]>,
  linked: readonly (LinkedPullRequest | null)[],
  signal: AbortSignal,
): Promise<Found | 'none' | 'unknown'> {
  if (ofBranch === null || ofBranch === undefined) return 'unknown';
  const chosen = chooseOfBranch(ofBranch);
  const own = chosen === 'more' ? await amongAll(desk, branch, signal) : chosen;
  if (own !== 'none') return own;
  const choice = chooseLinked(linked, desk.repo, desk.base);
  return choice === 'more' ? 'none' : choice;
}

/** One that is missing from half an answer may be the one. */
function linksIn(
  ofIssue: z.output<typeof ofIssueAnswer>,
  isAsked: boolean,
  isPartial: boolean,
): readonly (LinkedPullRequest | null)[] {
  if (!isAsked) return [];
  return ofIssue?.issue?.closedByPullRequestsReferences?.nodes ?? (isPartial ? [null] : []);
}

function attachedIn(
  answer: z.output<typeof attachedAnswer>,
  isPartial: boolean,
): readonly (LinkedPullRequest | null)[] {
  const found = answer?.pullRequest ?? null;
  return found === null && !isPartial ? [] : [found];
}

/** Of one issue, the newest: an issue that was worked on anew has an attachment of each time. */
const ATTACHED_MOST = 3;

function attachedTo({ attached }: Desk, branches: readonly string[]) {
  return branches.flatMap((branch) =>
    [...new Set(attached(branch).filter(isGithubNumber))]
      .toSorted((one, other) => other - one)
      .slice(0, ATTACHED_MOST)
      .map((number) => ({ branch, number })),
  );
}

/** Page by page, until the open one is there or the end. */
async function amongAll(
  desk: Desk,
  branch: string,
  signal: AbortSignal,
): Promise<Found | 'none' | 'unknown'> {
  const nodes: (LightPullRequest | LinkedPullRequest | null)[] = [];
  const checked = cursorCheck();
  for (let after: string | null = null; ; ) {
    const variables: Variables = { ...fixed(desk), branch, after, contexts: 1 };
    const { repository } = await desk.client.query<PullRequestsOfBranchQuery>(CANDIDATES, variables, {
      signal,
    });
    const page = unwrap(decode(candidatesPage, repository?.pullRequests, 'pull requests'));
    nodes.push(...(page.nodes ?? [null]));
    const choice = choose(nodes, page.pageInfo.hasNextPage);
    if (choice !== 'more') return choice;
    after = checked(page.pageInfo.endCursor);
  }
}

function readAlias<T>(schema: z.ZodType<T>, answer: unknown): T {
  return unwrap(decode(schema, answer, 'pull request'));
}

function fixed({ repo, base }: Desk): Variables {
  return { owner: repo.owner, name: repo.name, into: base };
}

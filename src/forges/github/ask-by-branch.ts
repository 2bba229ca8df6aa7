/** Asks GitHub for the pull requests of many branches in one request, and says which one is each branch's. */
import { LegionError } from '../../domain/fault.ts';
import type { Variables } from '../../github/client.ts';
import { branchRef } from '../repository.ts';
import type {
  AttachedAnswer,
  BaseAnswer,
  FullAnswer,
  LightAnswer,
  LinkedAnswer,
  OfBranchAnswer,
  OfIssueAnswer,
} from './answers.ts';
import type { BatchSize, Kind } from './batch-size.ts';
import { choose, chooseLinked, chooseOfBranch } from './choose.ts';
import type { Desk } from './desk.ts';
import { byBranch, CANDIDATES, PAGE } from './read-documents.ts';

/** Kinds of error that leave the rest of an answer whole; an App may lack the permission for one field. */
const PARTIAL: readonly string[] = ['SERVICE_UNAVAILABLE', 'INTERNAL', 'TIMEOUT', 'FORBIDDEN'];

export interface Asked {
  readonly kind: Kind;
  readonly size: BatchSize;
  readonly branches: readonly string[];
  /** Whether a branch is to be looked for by its issue, too. */
  readonly byIssue: (branch: string) => boolean;
  /** Whether the names of checks are wanted. */
  readonly names: boolean;
}

export type Found = LightAnswer & Partial<FullAnswer>;

export interface Answered {
  readonly found: ReadonlyMap<string, Found | 'none' | 'unknown'>;
  readonly baseSha: string;
  /** Names of checks that the base's protection asks for. */
  readonly required: readonly string[];
  /** Whether the names of checks are in it. */
  readonly names: boolean;
  /** Half of it may be missing: nothing in it means "none" for sure. */
  readonly isPartial: boolean;
}

/** One answer for each request that was needed. */
export async function askByBranch(
  desk: Desk,
  asked: Asked,
  signal: AbortSignal,
): Promise<readonly Answered[]> {
  const { kind, size } = asked;
  const most = size.of(kind);
  const answers: Answered[] = [];
  for (let from = 0; from < asked.branches.length; from += most) {
    const branches = asked.branches.slice(from, from + most);
    try {
      answers.push(await askOnce(desk, { ...asked, branches }, signal));
    } catch (error) {
      if (!signal.aborted) size.failed(kind, branches.length);
      throw error;
    }
  }
  if (answers.length > 0) size.worked(kind);
  return answers;
}

type Answer = Readonly<Record<string, (BaseAnswer & OfBranchAnswer & OfIssueAnswer & AttachedAnswer) | null>>;

async function askOnce(desk: Desk, asked: Asked, signal: AbortSignal): Promise<Answered> {
  const { branches, kind } = asked;
  const places = branches.map((branch) => (asked.byIssue(branch) ? desk.issueOf(branch) : undefined));
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
  const { answer, isPartial } = await wholeOrPartial(desk, document, variables, signal);
  const found = new Map<string, Found | 'none' | 'unknown'>();
  for (const [at, branch] of branches.entries()) {
    const linked = [
      ...linksIn(answer[`l${at}`], links.includes(at), isPartial),
      ...attached.flatMap((each, index) =>
        each.branch === branch ? attachedIn(answer[`a${index}`], isPartial) : [],
      ),
    ];
    found.set(branch, await foundFor(desk, branch, answer[`b${at}`], linked, signal));
  }
  const { base = null } = answer;
  return { found, isPartial, names: asked.names, ...baseIn(desk, base) };
}

/** What fails is asked for once more, now for what can be had: one broken pull request must not hide the others. */
async function wholeOrPartial(
  { client, complain }: Desk,
  document: string,
  variables: Variables,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly isPartial: boolean }> {
  // An issue may be gone, or nowhere we may look: then there is no link.
  const tolerates = ['NOT_FOUND'];
  try {
    return {
      answer: await client.query<Answer>(document, variables, { signal, tolerates }),
      isPartial: false,
    };
  } catch (error) {
    const codes: readonly unknown[] = ['github.unavailable', 'github.forbidden'];
    if (!(error instanceof LegionError) || !codes.includes(error.code) || signal.aborted) throw error;
    const how = { signal, tolerates: [...tolerates, ...PARTIAL] };
    const answer = await client.query<Answer>(document, variables, how);
    const { base = null } = answer;
    if (base === null) throw error; // nothing can be had, and the first error says why
    complain(error);
    return { answer, isPartial: true };
  }
}

function baseIn({ repo, base }: Desk, answer: BaseAnswer | null): Pick<Answered, 'baseSha' | 'required'> {
  if (answer === null) throw new LegionError('github.missing', `GitHub shows no ${repo.owner}/${repo.name}`);
  const sha = answer.ref?.target?.oid;
  if (sha === undefined) throw new LegionError('forge.base_missing', `the branch ${base} is not on GitHub`);
  return { baseSha: sha, required: answer.ref?.refUpdateRule?.requiredStatusCheckContexts ?? [] };
}

async function foundFor(
  desk: Desk,
  branch: string,
  ofBranch: OfBranchAnswer | null | undefined,
  linked: readonly (LinkedAnswer | null)[],
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
  ofIssue: OfIssueAnswer | null | undefined,
  isAsked: boolean,
  isPartial: boolean,
): readonly (LinkedAnswer | null)[] {
  if (!isAsked) return [];
  return ofIssue?.issue?.closedByPullRequestsReferences?.nodes ?? (isPartial ? [null] : []);
}

function attachedIn(
  answer: AttachedAnswer | null | undefined,
  isPartial: boolean,
): readonly (LinkedAnswer | null)[] {
  const found = answer?.pullRequest ?? null;
  return found === null && !isPartial ? [] : [found];
}

/** Of one issue, the newest: an issue that was worked on anew has an attachment of each time. */
const ATTACHED_MOST = 3;

function attachedTo({ attached }: Desk, branches: readonly string[]) {
  return branches.flatMap((branch) =>
    [...new Set(attached(branch))]
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
  const nodes: (LightAnswer | LinkedAnswer | null)[] = [];
  for (let after: string | null = null; ; ) {
    const variables: Variables = { ...fixed(desk), branch, after, contexts: 1 };
    const { repository } = await desk.client.query<{ repository: PageAnswer }>(CANDIDATES, variables, {
      signal,
    });
    nodes.push(...repository.pullRequests.nodes);
    const { hasNextPage, endCursor } = repository.pullRequests.pageInfo;
    const choice = choose(nodes, hasNextPage);
    if (choice !== 'more') return choice;
    after = endCursor;
  }
}

interface PageAnswer {
  readonly pullRequests: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly nodes: readonly (LightAnswer | null)[];
  };
}

function fixed({ repo, base }: Desk): Variables {
  return { owner: repo.owner, name: repo.name, into: base };
}

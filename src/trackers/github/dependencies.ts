/** GitHub's own dependencies between issues: REST only, so they are asked for where something says that there are some. */

import { LegionError } from '../../core/model/fault.ts';
import type { GithubClient } from '../../github/client.ts';
import { isGithubNumber } from '../../github/number-range.ts';
import type { IssuePlace } from '../../integrations/github/client/issue-reference.ts';
import type { Content } from '../../integrations/github/tracker/contents.ts';
import { isRefusal } from '../../lib/read-isolated.ts';

const ROUTE = '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by';
/** Entries a page; what GitHub gives at most. */
const PAGE = 100;
/** Issues asked for at once: enough to be quick, too few to meet a secondary limit. */
const AT_ONCE = 5;

export interface Dependencies {
  /** What was last heard of an issue; nothing where nobody has asked. */
  of(node: string): readonly IssuePlace[];
  /** Why some of them could not be read; undefined where all could. */
  problemOf(node: string): string | undefined;
  /** Asks for these unless they are known as they are now. */
  learn(issues: readonly Content[], signal: AbortSignal): Promise<void>;
  /** Asks for this one whatever is known; what has not changed costs no points. */
  ask(issue: Content, signal: AbortSignal): Promise<readonly IssuePlace[]>;
  /** To be asked for at the next list, whether or not a search knows of it yet. */
  expect(node: string): void;
  isExpected(node: string): boolean;
  /** Forgets all others. */
  retain(nodes: ReadonlySet<string>): void;
  /** Makes one issue wait for another, by GitHub's number of it among all issues; it may wait for it already. */
  add(issue: IssuePlace, blockerId: number): Promise<void>;
}

interface Told {
  readonly places: readonly IssuePlace[];
  readonly etag: string | undefined;
  readonly problem?: string | undefined;
}

interface Heard extends Told {
  readonly updatedAt: string;
  readonly isSettled: boolean;
}

interface RestIssue {
  readonly number: number;
  readonly repository_url: string;
}

export function openDependencies(client: GithubClient): Dependencies {
  const heard = new Map<string, Heard>();
  const expected = new Set<string>();

  async function ask(issue: Content, signal: AbortSignal): Promise<readonly IssuePlace[]> {
    const { answer, isSettled } = issue;
    const known = heard.get(answer.id);
    const now = await read(issue, known, signal).catch((error) => refusedOrGone(error, known));
    // A search that is behind does not know of it; whoever has asked does.
    if (now.places.length > 0 || now.problem !== undefined) expected.add(answer.id);
    else expected.delete(answer.id);
    // No change of the issue tells when a refusal ends.
    const isFinal = isSettled && now.problem === undefined;
    heard.set(answer.id, { ...now, updatedAt: answer.updatedAt, isSettled: isFinal });
    return now.places;
  }

  /** Of several pages only the first would say whether it has changed, so those are read anew each time. */
  async function read({ place }: Content, known: Heard | undefined, signal: AbortSignal): Promise<Told> {
    const parameters = { ...parametersOf(place), per_page: PAGE };
    const how = { signal, ...(known?.etag === undefined ? {} : { etag: known.etag }) };
    const first = await client.rest<readonly RestIssue[]>(`GET ${ROUTE}`, parameters, how);
    if (first.data === undefined)
      return { places: known?.places ?? [], etag: known?.etag, problem: known?.problem };
    const found = [...first.data];
    for (let { next } = first; next !== undefined; ) {
      const page = await client.rest<readonly RestIssue[]>(`GET ${next}`, {}, { signal });
      found.push(...(page.data ?? []));
      next = page.next;
    }
    const places = found.map(placeIn);
    return {
      places: places.filter((each) => each !== undefined),
      etag: first.next === undefined ? first.etag : undefined,
      problem: places.includes(undefined) ? 'GitHub names one without a repository or a number' : undefined,
    };
  }

  return {
    of: (node) => heard.get(node)?.places ?? [],
    problemOf: (node) => heard.get(node)?.problem,
    ask,
    async learn(issues, signal) {
      const asked = issues.filter(({ answer }) => {
        const known = heard.get(answer.id);
        return known?.isSettled !== true || known.updatedAt !== answer.updatedAt;
      });
      for (let from = 0; from < asked.length; from += AT_ONCE) {
        await Promise.all(asked.slice(from, from + AT_ONCE).map((issue) => ask(issue, signal)));
      }
    },
    expect: (node) => void expected.add(node),
    isExpected: (node) => expected.has(node),
    retain(nodes) {
      for (const node of heard.keys()) if (!nodes.has(node)) heard.delete(node);
    },
    async add(issue, blockerId) {
      try {
        await client.rest(`POST ${ROUTE}`, { ...parametersOf(issue), issue_id: blockerId });
      } catch (error) {
        // GitHub says so of a dependency that is there already, too; only a look tells which it was.
        if (!(error instanceof LegionError && error.code === 'github.refused')) throw error;
        const there = await client.rest<readonly (RestIssue & { readonly id: number })[]>(`GET ${ROUTE}`, {
          ...parametersOf(issue),
          per_page: PAGE,
        });
        if (there.data?.some(({ id }) => id === blockerId) !== true) throw error;
      }
    },
  };
}

/** The issue is gone, which the board will say too; or the server is too old to have dependencies at all. */
function refusedOrGone(error: unknown, known: Heard | undefined): Told {
  if (error instanceof LegionError && error.code === 'github.missing') return { places: [], etag: undefined };
  if (isRefusal(error)) return { places: known?.places ?? [], etag: undefined, problem: error.message };
  throw error;
}

function parametersOf({ owner, repo, number }: IssuePlace): Record<string, unknown> {
  return { owner, repo, issue_number: number };
}

/** `https://api.github.com/repos/{owner}/{repo}`, on every GitHub; undefined where it names no issue. */
function placeIn({ number, repository_url }: RestIssue): IssuePlace | undefined {
  const [, owner, repo] = /\/([^/]+)\/([^/]+)$/.exec(String(repository_url)) ?? [];
  return owner === undefined || repo === undefined || !isGithubNumber(number)
    ? undefined
    : { owner, repo, number };
}

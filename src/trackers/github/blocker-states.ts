/** Whether issues that others wait for are still open: those of no board too, and pull requests where a text names one. */
import type { Clock } from '../../domain/clock.ts';
import type { ColumnNames } from '../../domain/status.ts';
import type { GithubClient } from '../../github/client.ts';
import { type IssuePlace, placeKey } from '../../github/issue-place.ts';
import { hasEnded } from './column.ts';
import { statesOf } from './read-documents.ts';

/** Asked for in one request. */
const ASKED_MAX = 50;
/** How long a name that leads nowhere is believed to: it may become an issue one day. */
const NOWHERE_KEPT_MS = 30 * 60_000;

interface State {
  /** Undefined where the name leads nowhere: who cannot be seen holds nobody up. */
  readonly node: string | undefined;
  readonly isOpen: boolean;
  readonly askedAt: number;
}

export interface BlockerStates {
  /** Asks anew, for all of them; `boards` are the projects whose columns count, the first first. */
  ask(
    places: readonly IssuePlace[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /** Those of `places` that are open, by what a digest has just told; asks only for those it did not know. */
  open(
    places: readonly IssuePlace[],
    told: ReadonlyMap<string, boolean>,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /** The nodes a digest should ask for. */
  nodes(): readonly string[];
}

interface Options {
  readonly client: GithubClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly columns: () => ColumnNames;
  readonly statusField: string;
}

export function openBlockerStates({ client, clock, columns, statusField }: Options): BlockerStates {
  const states = new Map<string, State>();

  async function askSome(
    places: readonly IssuePlace[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const variables = places.flatMap(({ owner, repo, number }, index) => [
      [`owner${index}`, owner],
      [`name${index}`, repo],
      [`number${index}`, number],
    ]);
    const how = { signal, tolerates: ['NOT_FOUND'] };
    const asked = { status: statusField, ...Object.fromEntries(variables) };
    const answer = await client.query<Answer>(statesOf(places.length), asked, how);
    places.forEach((place, index) => {
      const found = answer[`a${index}`]?.issueOrPullRequest;
      const isOpen = found !== undefined && found !== null && !isOver(found, boards, columns());
      states.set(placeKey(place), { node: found?.id, isOpen, askedAt: clock.now() });
    });
  }

  async function askAll(
    places: readonly IssuePlace[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let from = 0; from < places.length; from += ASKED_MAX)
      await askSome(places.slice(from, from + ASKED_MAX), boards, signal);
  }

  function openOf(places: readonly IssuePlace[]): ReadonlySet<string> {
    return new Set(places.map(placeKey).filter((key) => states.get(key)?.isOpen === true));
  }

  function isTold(state: State | undefined, told: ReadonlyMap<string, boolean>): boolean {
    if (state === undefined) return false;
    if (state.node !== undefined) return told.has(state.node);
    return Math.abs(clock.now() - state.askedAt) < NOWHERE_KEPT_MS;
  }

  return {
    async ask(places, boards, signal) {
      await askAll(places, boards, signal);
      return openOf(places);
    },
    async open(places, told, signal) {
      const wanted = new Set(places.map(placeKey));
      for (const [key, state] of states) {
        if (!wanted.has(key)) states.delete(key);
        else if (state.node !== undefined && told.has(state.node))
          states.set(key, { ...state, isOpen: told.get(state.node) === false });
      }
      const unknown = places.filter((place) => !isTold(states.get(placeKey(place)), told));
      await askAll(unknown, [], signal);
      return openOf(places);
    },
    nodes: () => [...states.values()].flatMap(({ node }) => node ?? []),
  };
}

interface Found {
  readonly id: string;
  readonly closed: boolean;
  readonly projectItems?: {
    readonly nodes: readonly {
      readonly isArchived: boolean;
      readonly project: { readonly id: string };
      readonly status: { readonly name?: string | null } | null;
    }[];
  };
}

interface Answer {
  readonly [alias: string]: { readonly issueOrPullRequest: Found | null } | null;
}

function isOver({ closed, projectItems }: Found, boards: readonly string[], names: ColumnNames): boolean {
  const items = projectItems?.nodes.filter(({ isArchived }) => !isArchived) ?? [];
  const counting = boards.map((board) => items.find(({ project }) => project.id === board)).find(Boolean);
  return hasEnded({ option: counting?.status?.name ?? '', closedAt: closed ? 0 : undefined }, names);
}

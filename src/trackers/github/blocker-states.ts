/** Whether issues that others wait for are still open: those of no board too, and pull requests where a text names one. */
import type { z } from 'zod';
import type { ColumnNames } from '../../core/model/status.ts';
import type { Clock } from '../../domain/clock.ts';
import { decode } from '../../domain/decode.ts';
import type { GithubClient, Refusal } from '../../github/client.ts';
import { type IssuePlace, placeKey } from '../../integrations/github/client/issue-reference.ts';
import type { StatesOfQuery } from '../../integrations/github/generated/tracker.ts';
import { statesOf } from '../../integrations/github/tracker/documents.ts';
import { readIsolated } from '../../lib/read-isolated.ts';
import { blockerAnswer } from './answer-schemas.ts';
import { hasEnded } from './column.ts';

/** Asked for in one request. */
const ASKED_MAX = 50;
/** How long a name that leads nowhere is believed to: it may become an issue one day. */
const NOWHERE_KEPT_MS = 30 * 60_000;
/** How long a refusal is believed: short, because somebody is waiting for the access that ends it. */
const REFUSED_KEPT_MS = 5 * 60_000;

interface State {
  /** Undefined where the name leads nowhere: an issue that does not exist blocks nothing. */
  readonly node: string | undefined;
  readonly isOpen: boolean;
  readonly askedAt: number;
  /** Why GitHub does not show it; then nobody can tell whether it is open. */
  readonly refused?: string | undefined;
}

interface BlockersRead {
  /** Keys of the places that are open. */
  readonly open: ReadonlySet<string>;
  /** Why those that may not be read are not, by the keys of their places. */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface BlockerStates {
  /** Asks anew, for all of them; `boards` are the projects whose columns count, the first first. */
  ask(places: readonly IssuePlace[], boards: readonly string[], signal: AbortSignal): Promise<BlockersRead>;
  /** The same by what a digest has just told; asks only for those it did not know. */
  open(
    places: readonly IssuePlace[],
    told: ReadonlyMap<string, boolean>,
    signal: AbortSignal,
  ): Promise<BlockersRead>;
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

  /** What may pass is asked for again at the next look. */
  function setRefused(place: IssuePlace, { code, message }: Pick<Refusal, 'code' | 'message'>): void {
    const askedAt = code === 'github.unavailable' ? Number.NEGATIVE_INFINITY : clock.now();
    states.set(placeKey(place), { node: undefined, isOpen: false, askedAt, refused: message });
  }

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
    const asked = { status: statusField, ...Object.fromEntries(variables) };
    const { data, refusals } = await client.queryPartially<StatesAnswer>(statesOf(places.length), asked, {
      signal,
    });
    for (const [index, place] of places.entries()) {
      const refusal = refusals.find(({ path, code }) => path[0] === `a${index}` && code !== 'github.missing');
      const read = decode(blockerAnswer, data[`a${index}`]?.issueOrPullRequest, 'blocker');
      if (!read.ok) {
        setRefused(place, read.fault);
        continue;
      }
      const found = read.value;
      // With the issue at hand, only a board of somebody else's was refused.
      if (refusal !== undefined && (found?.id ?? undefined) === undefined) setRefused(place, refusal);
      else {
        const isOpen = found?.id !== undefined && !isOver(found, boards, columns());
        states.set(placeKey(place), { node: found?.id, isOpen, askedAt: clock.now() });
      }
    }
  }

  async function askAll(
    places: readonly IssuePlace[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    await readIsolated({
      items: places,
      batch: ASKED_MAX,
      read: (some) => askSome(some, boards, signal),
      refuse: setRefused,
    });
  }

  function readingOf(places: readonly IssuePlace[]): BlockersRead {
    const keys = places.map(placeKey);
    return {
      open: new Set(keys.filter((key) => states.get(key)?.isOpen === true)),
      unreadable: new Map(
        keys.flatMap((key) => {
          const refused = states.get(key)?.refused;
          return refused === undefined ? [] : [[key, refused] as const];
        }),
      ),
    };
  }

  function isTold(state: State | undefined, told: ReadonlyMap<string, boolean>): boolean {
    if (state === undefined) return false;
    if (state.node !== undefined) return told.has(state.node);
    const kept = state.refused === undefined ? NOWHERE_KEPT_MS : REFUSED_KEPT_MS;
    return Math.abs(clock.now() - state.askedAt) < kept;
  }

  return {
    async ask(places, boards, signal) {
      await askAll(places, boards, signal);
      return readingOf(places);
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
      return readingOf(places);
    },
    nodes: () => [...states.values()].flatMap(({ node }) => node ?? []),
  };
}

type Found = NonNullable<z.output<typeof blockerAnswer>>;

type StatesAnswer = Readonly<Record<string, StatesOfQuery['a0']>>;

function isOver({ closed, projectItems }: Found, boards: readonly string[], names: ColumnNames): boolean {
  const items = (projectItems?.nodes ?? []).filter((item) => item !== null && !item.isArchived);
  const counting = boards.map((board) => items.find((item) => item?.project.id === board)).find(Boolean);
  return hasEnded({ option: counting?.status?.name ?? '', closedAt: closed === true ? 0 : undefined }, names);
}

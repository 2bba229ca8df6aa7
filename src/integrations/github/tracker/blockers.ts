/**
 * Tracks whether blockers are open, including issues that are on no board and pull requests that an
 * issue's text mentions. Describes blockers that cannot be read, each with the next step.
 */
import type { z } from 'zod';
import type { Clock } from '../../../core/model/clock.ts';
import { decode } from '../../../core/model/decode.ts';
import { truncateText } from '../../../core/model/format.ts';
import type { IssueProblem } from '../../../core/model/issue.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { readIsolated } from '../../../lib/read-isolated.ts';
import type { GithubClient, GithubRefusal } from '../client/client.ts';
import { formatIssueReference, type IssueReference, toIssueReferenceKey } from '../client/issue-reference.ts';
import type { StatesOfQuery } from '../generated/tracker.ts';
import { hasEnded } from './board-fields.ts';
import { buildStatesQuery } from './documents.ts';
import { blockerAnswer } from './read-answer.ts';

/** Maximum number of blockers per request. */
const MAX_BLOCKERS_PER_REQUEST = 50;
/** How long a reference to a nonexistent issue is cached. The issue may be created later. */
const MISSING_TTL_MS = 30 * 60_000;
/** How long a refusal by GitHub is cached. Short, because a person may be about to grant access. */
const REFUSED_TTL_MS = 5 * 60_000;

interface BlockerState {
  /** Undefined if the issue does not exist. Such an issue blocks nothing. */
  readonly node: string | undefined;
  readonly isOpen: boolean;
  readonly checkedAt: number;
  /** Why GitHub does not show the blocker. The blocker's state is then unknown. */
  readonly refused?: string | undefined;
}

interface BlockerReadResult {
  /** Keys of the blockers that are open. */
  readonly open: ReadonlySet<string>;
  /** Reasons why blockers could not be read, by the blocker's key. */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface BlockerStates {
  /**
   * Reads the states of all given blockers again. `boards` are the projects whose columns are taken
   * into account, in order of precedence.
   */
  ask(
    references: readonly IssueReference[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<BlockerReadResult>;
  /** Uses the states that a digest reported, and requests only those that are still unknown. */
  open(
    references: readonly IssueReference[],
    reported: ReadonlyMap<string, boolean>,
    signal: AbortSignal,
  ): Promise<BlockerReadResult>;
  /** Returns the nodes whose state a digest should include. */
  nodes(): readonly string[];
}

interface BlockerStatesOptions {
  readonly client: GithubClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly columns: () => ColumnNames;
  readonly statusField: string;
}

export function openBlockerStates({
  client,
  clock,
  columns,
  statusField,
}: BlockerStatesOptions): BlockerStates {
  const states = new Map<string, BlockerState>();

  /**
   * Records a refusal. If it is temporary, the blocker is requested again in the next reconcile
   * pass.
   */
  function setRefused(
    reference: IssueReference,
    { code, message }: Pick<GithubRefusal, 'code' | 'message'>,
  ): void {
    const checkedAt = code === 'github.unavailable' ? Number.NEGATIVE_INFINITY : clock.now();
    states.set(toIssueReferenceKey(reference), {
      node: undefined,
      isOpen: false,
      checkedAt,
      refused: message,
    });
  }

  async function readBatch(
    references: readonly IssueReference[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const variables = references.flatMap(({ owner, repo, number }, index) => [
      [`owner${index}`, owner],
      [`name${index}`, repo],
      [`number${index}`, number],
    ]);
    const request = { status: statusField, ...Object.fromEntries(variables) };
    const { data, refusals } = await client.queryPartially<StatesAnswer>(
      buildStatesQuery(references.length),
      request,
      {
        signal,
      },
    );
    for (const [index, reference] of references.entries()) {
      const refusal = refusals.find(({ path, code }) => path[0] === `a${index}` && code !== 'github.missing');
      const read = decode(blockerAnswer, data[`a${index}`]?.issueOrPullRequest, 'blocker');
      if (!read.ok) {
        setRefused(reference, read.fault);
        continue;
      }
      const blocker = read.value;
      // If the response contains the issue despite a refusal, the refusal concerns only another
      // account's board. The blocker itself is then readable.
      if (refusal !== undefined && (blocker?.id ?? undefined) === undefined) setRefused(reference, refusal);
      else {
        const isOpen = blocker?.id !== undefined && !hasBlockerEnded(blocker, boards, columns());
        states.set(toIssueReferenceKey(reference), { node: blocker?.id, isOpen, checkedAt: clock.now() });
      }
    }
  }

  async function readAll(
    references: readonly IssueReference[],
    boards: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    await readIsolated({
      items: references,
      batch: MAX_BLOCKERS_PER_REQUEST,
      read: (batch) => readBatch(batch, boards, signal),
      refuse: setRefused,
    });
  }

  function toReadResult(references: readonly IssueReference[]): BlockerReadResult {
    const keys = references.map(toIssueReferenceKey);
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

  function isReported(state: BlockerState | undefined, reported: ReadonlyMap<string, boolean>): boolean {
    if (state === undefined) return false;
    if (state.node !== undefined) return reported.has(state.node);
    const ttl = state.refused === undefined ? MISSING_TTL_MS : REFUSED_TTL_MS;
    return Math.abs(clock.now() - state.checkedAt) < ttl;
  }

  return {
    async ask(references, boards, signal) {
      await readAll(references, boards, signal);
      return toReadResult(references);
    },
    async open(references, reported, signal) {
      const wanted = new Set(references.map(toIssueReferenceKey));
      for (const [key, state] of states) {
        if (!wanted.has(key)) states.delete(key);
        else if (state.node !== undefined && reported.has(state.node))
          states.set(key, { ...state, isOpen: reported.get(state.node) === false });
      }
      const unknown = references.filter(
        (reference) => !isReported(states.get(toIssueReferenceKey(reference)), reported),
      );
      await readAll(unknown, [], signal);
      return toReadResult(references);
    },
    nodes: () => [...states.values()].flatMap(({ node }) => node ?? []),
  };
}

type BlockerRecord = NonNullable<z.output<typeof blockerAnswer>>;

type StatesAnswer = Readonly<Record<string, StatesOfQuery['a0']>>;

function hasBlockerEnded(
  { closed, projectItems }: BlockerRecord,
  boards: readonly string[],
  names: ColumnNames,
): boolean {
  const items = (projectItems?.nodes ?? []).filter((item) => item !== null && !item.isArchived);
  const counting = boards.map((board) => items.find((item) => item?.project.id === board)).find(Boolean);
  return hasEnded({ option: counting?.status?.name ?? '', closedAt: closed === true ? 0 : undefined }, names);
}

export interface IssueBlockers {
  /**
   * Includes unreadable blockers, because an issue waits until its blocker is known to have ended.
   */
  readonly open: readonly IssueReference[];
  readonly problems: readonly IssueProblem[];
}

export const NO_BLOCKERS: IssueBlockers = { open: [], problems: [] };

interface BlockerKnowledge {
  readonly isOpen: (reference: IssueReference) => boolean;
  /** Reasons why blockers could not be read, by the blocker's key. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Why the issue's dependencies on GitHub could not be read. */
  readonly dependencyProblem: string | undefined;
}

export function collectBlockers(
  references: readonly IssueReference[],
  { isOpen, unreadable, dependencyProblem }: BlockerKnowledge,
): IssueBlockers {
  const problems = references.flatMap((reference) => {
    const reason = unreadable.get(toIssueReferenceKey(reference));
    return reason === undefined ? [] : [createUnreadableBlockerProblem(reference, reason)];
  });
  if (dependencyProblem !== undefined) problems.push(createUnreadableDependenciesProblem(dependencyProblem));
  return {
    open: references.filter(
      (reference) => unreadable.has(toIssueReferenceKey(reference)) || isOpen(reference),
    ),
    problems,
  };
}

export function listDistinctReferences(references: readonly IssueReference[]): readonly IssueReference[] {
  return [...new Map(references.map((reference) => [toIssueReferenceKey(reference), reference])).values()];
}

/** Maximum number of characters of a reference that a message quotes. */
const NAME_MAX = 80;

export function createOutOfRangeProblem(written: string): IssueProblem {
  const text = `The text names ${truncateText(written, NAME_MAX)} as a blocker, but that is not a valid issue number, so it blocks nothing. Next step: correct the number in the issue’s text.`;
  return { text, holds: false };
}

function createUnreadableBlockerProblem(reference: IssueReference, reason: string): IssueProblem {
  const { owner, repo } = reference;
  const text = `Blocked by ${formatIssueReference(reference)}, which Legion does not have permission to read: ${toSentence(reason)} Next step: give Legion’s account read access to ${owner}/${repo} (if ${owner} uses SAML single sign-on, authorize the token there; if it has an IP allow list, add this machine), or remove the reference from the issue.`;
  return { text, holds: true };
}

function createUnreadableDependenciesProblem(reason: string): IssueProblem {
  const text = `Legion does not have permission to read which issues block this one: ${toSentence(reason)} Next step: give Legion’s account read access to the issues of this repository.`;
  return { text, holds: true };
}

export function createUnnamedBlockerProblem(reference: IssueReference): IssueProblem {
  const text = `Blocked by ${formatIssueReference(reference)}, which cannot have an id on this board. Next step: close it, or remove the reference from the issue.`;
  return { text, holds: true };
}

export function toSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

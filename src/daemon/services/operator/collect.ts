/** Reads the board and the forge and reports what is due for each issue, without writing. */

import { z } from 'zod';
import { createRejectionFault, decode } from '../../../core/model/decode.ts';
import { fail, LegionError, ok, quoteText, type Result } from '../../../core/model/fault.ts';
import { computeSessionNamespace, type IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import { unwrap } from '../../../lib/result.ts';
import type { RejectedEntry } from '../../../ports/tracker.ts';
import {
  backendSchema,
  type CollectedBoard,
  collectRequest,
  type FetchRequest,
  type IssueState,
  type PostedAnswer,
} from '../../../protocol/board-state.ts';
import type { IssueSummary } from '../../../protocol/status.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import { presentIssueState, presentIssueSummary, type StopTimes } from '../../present/issue-state.ts';
import { evaluateBoard, evaluateLastSeen, evaluatePosted, type ShownEvaluation } from '../evaluate-issues.ts';
import { explainOpenRevert, explainRolledBack, type RevertState, type RolledBack } from './reverts.ts';

export async function collectBoard(
  context: DaemonContext,
  { backend, lastSeen = false }: Partial<FetchRequest>,
): Promise<CollectedBoard> {
  refuseOtherBoard(context, backend);
  return buildCollected(context, lastSeen ? evaluateLastSeen(context) : await evaluateBoard(context));
}

function buildCollected(
  context: StateContext & PortContext,
  evaluations: readonly ShownEvaluation[],
): CollectedBoard {
  const namespace = computeSessionNamespace(context.legionId);
  const states = evaluations.map((each): [string, IssueState] => [
    each.seen.issue.id,
    buildIssueState(context, each, namespace),
  ]);
  return { issues: Object.fromEntries(states), at: context.clock.now() };
}

function refuseOtherBoard({ tracker: { kind } }: PortContext, backend: string | undefined): void {
  if (backend !== undefined && backend !== kind)
    throw new LegionError('state.not_accepted', `The board of this legion is ${kind}, not ${backend}.`);
}

export function buildIssueState(
  context: StateContext & PortContext,
  evaluation: ShownEvaluation,
  namespace = computeSessionNamespace(context.legionId),
  revert?: RevertState,
): IssueState {
  const { seen, signals, decision } = evaluation;
  const state = presentIssueState(
    namespace,
    context.ledger.state,
    seen,
    signals,
    decision,
    buildStopTimes(context),
  );
  const rolledBack = explainRestart(context, evaluation, revert);
  if (rolledBack === undefined)
    return (findRevertState(seen) ?? revert) === 'open' ? addOpenRevert(context, state) : state;
  const { text: says, next } = rolledBack;
  return { ...state, says, until: { ...state.until, next } };
}

/** Returns the revert state that the loop last read. Undefined if the forge could not be read. */
function findRevertState({ revert }: ShownEvaluation['seen']): RevertState | undefined {
  return revert === undefined || revert.state === 'unknown' ? undefined : revert.state;
}

/**
 * Adds an open revert to the state of an issue. If the issue is finished, or if the revert prevents
 * a new start, the issue waits for a person to merge or close the revert.
 */
function addOpenRevert(context: StateContext & PortContext, state: IssueState): IssueState {
  const open = explainOpenRevert(context, state.id);
  if (open === undefined) return state;
  const until = { by: 'person', what: 'someone merges or closes the revert', next: open.next };
  const waitsForRevert = state.until.by === 'nothing_more' || state.reason === 'revert_open';
  return { ...state, says: `${state.says} ${open.text}`, until: waitsForRevert ? until : state.until };
}

export function buildIssueSummary(
  context: StateContext & PortContext,
  evaluation: ShownEvaluation,
): IssueSummary {
  const summary = presentIssueSummary(
    context.ledger.state,
    evaluation.seen,
    evaluation.decision,
    buildStopTimes(context),
  );
  const rolledBack = explainRestart(context, evaluation);
  return rolledBack === undefined ? summary : { ...summary, says: rolledBack.text };
}

function buildStopTimes({ clock, settings }: StateContext): StopTimes {
  return { now: clock.now(), limits: settings().health };
}

/**
 * Explains why an issue is waiting for the approval of a new start after a rollback. Undefined if
 * the issue is waiting for anything else.
 */
export function explainRestart(
  context: StateContext & PortContext,
  { seen, signals, decision }: ShownEvaluation,
  revert?: RevertState,
): RolledBack | undefined {
  if (decision.reason !== 'waits_for_approval') return undefined;
  return explainRolledBack(
    context,
    seen.issue.id,
    seen.status,
    [...signals.labels],
    findRevertState(seen) ?? revert,
  );
}

/**
 * Reports what is due for posted issues. Uses them as posted if the tracker can parse them;
 * otherwise reads them from the board. Writes and starts nothing, whatever is posted.
 */
export async function collectPosted(context: DaemonContext, posted: unknown): Promise<PostedAnswer> {
  const { tracker } = context;
  refuseOtherBoard(context, parseBackend(posted));
  if (tracker.posted !== undefined) {
    const { issues, rejected } = unwrap(tracker.posted(posted));
    return { ...buildCollected(context, evaluatePosted(context, issues)), rejected: [...rejected] };
  }
  const { issues } = unwrap(decode(collectRequest, posted, 'body'));
  const all = await evaluateBoard(context);
  const { ids, rejected } = unwrap(
    findNamedIssues(
      issues,
      all.map(({ seen }) => seen.issue),
    ),
  );
  const named = all.filter(({ seen }) => ids.has(seen.issue.id));
  return { ...buildCollected(context, named), rejected: [...rejected] };
}

const withBackend = z.object({ backend: backendSchema.optional() });

/**
 * Returns the name of the service that the posted issues come from. A service's own payload does
 * not contain the name, but a wrapper around the payload may.
 */
function parseBackend(posted: unknown) {
  if (typeof posted !== 'object' || posted === null || Array.isArray(posted)) return undefined;
  return unwrap(decode(withBackend, posted, 'body')).backend;
}

interface NamedIssues {
  readonly ids: ReadonlySet<IssueId>;
  readonly rejected: readonly RejectedEntry[];
}

/**
 * Finds the issues on the board that a posted list refers to: by id, by URL, or by repository and
 * number. Uses only these references from the posted list; the state comes from the tracker. Fails
 * with `input.invalid` if no entry refers to an issue.
 */
export function findNamedIssues(posted: readonly unknown[], board: readonly Issue[]): Result<NamedIssues> {
  const byName = new Map(board.flatMap((issue) => listIssueNames(issue).map((name) => [name, issue.id])));
  const ids = new Set<IssueId>();
  const rejected: RejectedEntry[] = [];
  let nameless = 0;
  for (const [index, entry] of posted.entries()) {
    const path = `issues[${index}]`;
    const names = extractNames(entry);
    const found = names.flatMap((name) => byName.get(name) ?? []);
    for (const id of found) ids.add(id);
    if (names.length === 0) {
      nameless += 1;
      rejected.push({
        path,
        message: `${path}: has neither an id, nor a URL, nor a repository and an issue number`,
      });
    } else if (found.length === 0)
      rejected.push({ path, message: `${path}: ${quoteText(names[0] ?? '')} is not on this board` });
  }
  return nameless > 0 && nameless === posted.length
    ? fail(createRejectionFault(rejected))
    : ok({ ids, rejected });
}

function listIssueNames({ id, source }: Issue): readonly string[] {
  const aliases =
    source.kind === 'github'
      ? [`${source.owner}/${source.repo}#${source.number}`]
      : source.kind === 'linear'
        ? [source.identifier, source.uuid]
        : [];
  return [id, ...aliases].map((name) => name.toLowerCase());
}

/**
 * Returns the references to issues in a posted value. Accepts the formats of GitHub's website, of
 * its two APIs and of `gh`. In a project item, the issue is the item's content.
 */
function extractNames(posted: unknown, nested = false): readonly string[] {
  if (typeof posted === 'string')
    return posted === '' ? [] : [posted, ...parseIssueUrl(posted)].map((name) => name.toLowerCase());
  if (typeof posted !== 'object' || posted === null) return [];
  const { id, identifier, url, html_url, number, repository, content } = posted as Record<string, unknown>;
  const texts = [id, identifier].filter((each) => typeof each === 'string');
  const fromUrls = [url, html_url].flatMap((each) => (typeof each === 'string' ? parseIssueUrl(each) : []));
  const name = parseRepositoryFullName(repository);
  const numbered = name !== undefined && Number.isSafeInteger(number) ? [`${name}#${String(number)}`] : [];
  return [
    ...[...texts, ...fromUrls, ...numbered].map((each) => each.toLowerCase()),
    ...(nested ? [] : extractNames(content, true)),
  ];
}

function parseIssueUrl(text: string): readonly string[] {
  const [, repository, number] = /([^/\s]+\/[^/\s]+)\/issues\/(\d{1,10})(?:[/?#]|$)/.exec(text) ?? [];
  return repository === undefined ? [] : [`${repository}#${number}`];
}

function parseRepositoryFullName(repository: unknown): string | undefined {
  if (typeof repository === 'string') return /^[^/\s]+\/[^/\s]+$/.test(repository) ? repository : undefined;
  if (typeof repository !== 'object' || repository === null) return undefined;
  const { nameWithOwner, full_name: fullName } = repository as Record<string, unknown>;
  return [nameWithOwner, fullName].find((each) => typeof each === 'string');
}

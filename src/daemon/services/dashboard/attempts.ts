/** Lists each attempt of each worker of an issue, folded from the issue's own events. */
import type { Event } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../../core/model/lifecycle.ts';
import { evolve } from '../../../core/state/evolve.ts';
import { createLegionState, type WorkerRecord } from '../../../core/state/state.ts';
import type { AttemptView } from '../../../protocol/dashboard.ts';
import type { IssueDiff } from '../../../protocol/repository.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import type { DiffSubject, Repository } from '../../context/repository.ts';
import { describeEvent, listEventEvidence } from '../../present/event.ts';
import { requireKnownIssue } from '../read-outside.ts';
import type { JournalHistory } from './history.ts';
import { readEventsByVersion } from './history.ts';

/**
 * Maximum number of an issue's newest events that are read: enough for a few hundred attempts, in a
 * fifth of a second.
 */
const MAX_ATTEMPT_EVENTS = 20_000;

/**
 * The last record of an attempt, with its end and the verdicts about it, which the record itself
 * does not contain.
 */
interface AttemptLife {
  record: WorkerRecord;
  ended?: Event;
  verdicts: Event[];
}

export async function listAttempts(
  context: StateContext & PortContext,
  history: JournalHistory,
  given: IssueId,
): Promise<AttemptView[]> {
  const issue = await requireKnownIssue(context, given);
  await history.catchUp();
  const events = await readEventsByVersion(
    context.ledger,
    history.index.find(issue).slice(-MAX_ATTEMPT_EVENTS),
  );
  const attempts = collectLives(events);
  return [...attempts.values()].map((attempt) => toAttemptView(attempt, attempts));
}

/**
 * Collects the attempts from the events. Uses the journal's own fold, so that events without effect
 * there have no effect here either.
 */
function collectLives(events: readonly Event[]): ReadonlyMap<string, AttemptLife> {
  const state = createLegionState();
  const attempts = new Map<string, AttemptLife>();
  for (const event of events) {
    evolve(state, event);
    if (!('mode' in event) || event.type === 'decision.made') continue;
    const record = state.workers.get(toWorkerId(event.issue, event.mode));
    if (record === undefined) continue;
    const attempt = attempts.get(toAttemptKey(record)) ?? { record, verdicts: [] };
    attempt.record = record;
    if (attempt.ended === undefined && hasEnded(toLifecycleState(record.facts))) attempt.ended = event;
    attempts.set(toAttemptKey(record), attempt);
    // A kill may be judged after the next attempt has begun.
    const about = 'attempt' in event ? attempts.get(toAttemptKey(event)) : undefined;
    if (VERDICTS.has(event.type)) about?.verdicts.push(event);
  }
  return attempts;
}

const VERDICTS: ReadonlySet<Event['type']> = new Set([
  'attempt.warned',
  'attempt.asked_to_stop',
  'attempt.stop_extended',
  'attempt.crashed',
  'attempt.paused',
  'attempt.zombie',
  'kill.performed',
  'kill.judged',
]);

function toAttemptView(
  { record, ended, verdicts }: AttemptLife,
  attempts: ReadonlyMap<string, AttemptLife>,
): AttemptView {
  const { mode, attempt, agent, model, facts, report, spent } = record;
  const { turns, tokens, usd } = spent.now;
  const next = attempts.get(toAttemptKey({ mode, attempt: attempt + 1 }));
  return {
    mode,
    attempt,
    state: toLifecycleState(facts),
    dispatchedAt: facts.dispatchedAt,
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...describeEnd(ended, next),
    report: report === undefined ? null : { ...report },
    spent: { turns, tokens, usd },
    verdicts: verdicts.map((event) => ({
      at: event.at,
      says: describeEvent(event),
      evidence: [...listEventEvidence(event)],
    })),
  };
}

/**
 * Describes how an attempt ended. An attempt that was still waiting ends when the next attempt
 * replaces it.
 */
function describeEnd(
  ended: Event | undefined,
  next: AttemptLife | undefined,
): Pick<AttemptView, 'endedAt' | 'ending'> {
  if (ended !== undefined) return { endedAt: ended.at, ending: describeEvent(ended) };
  if (next === undefined) return { endedAt: null, ending: null };
  const { attempt, facts } = next.record;
  return { endedAt: facts.dispatchedAt, ending: `attempt ${attempt} replaced it` };
}

function toAttemptKey({ mode, attempt }: Pick<WorkerRecord, 'mode' | 'attempt'>): string {
  return `${mode} ${attempt}`;
}

/**
 * Reads the changes made for an issue: those of its pull request if its commits are on this
 * machine, otherwise those in its workspace.
 */
export async function readIssueDiff(context: StateContext & PortContext, given: IssueId): Promise<IssueDiff> {
  const issue = await requireKnownIssue(context, given);
  const repository = context.repositories.find(issue);
  if (repository === undefined)
    return createEmptyDiff(`${issue} does not belong to a repository of this legion.`);
  const request = findPullRequestDiff(context, issue);
  const ofRequest = request && (await readDiffInTime(repository, request.of));
  if (ofRequest !== undefined)
    return { of: 'pull_request', says: `Pull request ${request?.number}.`, ...ofRequest };
  const missing =
    request !== undefined
      ? `The commits of pull request ${request.number} are not on this machine`
      : // The forge may not have been queried yet, or it could not be read.
        context.boardView.find(issue)?.pullRequest === 'none'
        ? 'There is no pull request'
        : 'No pull request is known';
  const workspace = await context.workspaces.find(issue);
  const changes = workspace && (await context.workspaces.locateChanges(issue));
  const inside = changes && (await readDiffInTime(repository, { workspace: changes }));
  if (inside !== undefined)
    return { of: 'workspace', says: `${missing}; these are the changes in the workspace.`, ...inside };
  return createEmptyDiff(
    workspace === undefined
      ? `${missing}, and there is no workspace.`
      : `${missing}; the base branch no longer exists.`,
  );
}

/**
 * Returns the commits to compare for the pull request. A merged pull request is compared as it
 * landed on the base. A reverted pull request is treated as missing.
 */
function findPullRequestDiff(
  { ledger, boardView }: StateContext,
  issue: IssueId,
): PullRequestDiff | undefined {
  const merged = ledger.state.issues.get(issue)?.merged;
  const seen = boardView.find(issue)?.pullRequest;
  if (typeof seen === 'object') {
    const { number, headSha, mergedSha, state } = seen;
    const of = state === 'merged' && mergedSha !== undefined ? { landed: mergedSha } : { head: headSha };
    return { number, of };
  }
  if (merged === undefined || merged.undone !== undefined) return undefined;
  return { number: merged.pullRequest, of: { landed: merged.mergedSha } };
}

interface PullRequestDiff {
  readonly number: number;
  readonly of: DiffSubject;
}

async function readDiffInTime(repository: Repository, of: DiffSubject): ReturnType<Repository['readDiff']> {
  try {
    return await repository.readDiff(of);
  } catch (error) {
    // The read can only have been interrupted by its time limit.
    if (error instanceof LegionError && error.code === 'git.interrupted')
      throw new LegionError('git.timeout', 'Comparing the changes took too long.', { cause: error });
    throw error;
  }
}

function createEmptyDiff(message: string): IssueDiff {
  return { of: 'nothing', says: message, base: '', head: '', truncated: false, files: [] };
}

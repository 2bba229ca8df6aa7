/** One issue as seen outside at one moment, and the signals it makes together with what the journal knows. */
import type { BoundVerdict, ChangesSince, Evidence, EvidenceKind } from '../../domain/evidence.ts';
import type { Issue } from '../../domain/issue.ts';
import { type LifecycleState, lifecycleOf } from '../../domain/lifecycle.ts';
import { MODES, type Mode } from '../../domain/mode.ts';
import { shellWord } from '../../domain/shell-word.ts';
import { boundVerdict, stillHolds } from '../../pipeline/binding.ts';
import { namesIssue } from '../../pipeline/gates/closing-keyword.ts';
import { childrenOf } from '../../pipeline/split.ts';
import { routeIssue } from '../../pipeline/triage/route.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import { workersOf } from '../../swarm/workers.ts';
import { type PullRequest, reviewVerdict } from '../model/pull-request.ts';
import type {
  AutoMergeVerdict,
  IceboxTurn,
  LegionHold,
  PullRequestSignals,
  RevertSignal,
  Signals,
} from '../model/signals.ts';
import type { SeenStatus } from '../model/status.ts';
import { autoMergeVerdict, type MergeCandidate } from '../pipeline/auto-merge.ts';
import type { IceboxIssue } from '../pipeline/order.ts';
import type { Policy } from '../pipeline/policy.ts';
import { decisionWithoutHold } from './evolve/issue.ts';
import type { IssueRecord, Swarm, WorkerRecord } from './state.ts';

export interface SeenIssue {
  readonly issue: Issue;
  readonly status: SeenStatus;
  readonly pullRequest: PullRequest | 'none' | 'unknown';
  /** The pull request that reverts its last merge; absent without one that may still be open. */
  readonly revert?: SeenRevert | undefined;
  /** What changed since the commits that proofs and reviews were made at. */
  readonly changes: ChangesSince;
  readonly addedDependencies: readonly string[] | 'unknown';
  /** What in people's own checkouts of the base stands in the way of its merge; absent where nobody looked. */
  readonly checkouts?: readonly CheckoutInTheWay[] | undefined;
  /** In the Icebox: its text and people's comments since it came there are clear by the triage rule. */
  readonly clarified: boolean;
  /** The first word of somebody who may steer, where one is waited for. */
  readonly said?: { readonly author: string; readonly text: string; readonly at: number } | undefined;
}

export interface SeenRevert {
  readonly number: number;
  readonly state: RevertSignal;
  /** Where it is merged. */
  readonly mergedSha?: string | undefined;
}

export interface CheckoutInTheWay {
  readonly folder: string;
  readonly files: readonly string[];
  readonly why: string;
}

export function describeCheckout({ folder, files, why }: CheckoutInTheWay): string {
  return files.length === 0 ? `${folder}: ${why}` : `${folder}: ${files.join(', ')}`;
}

/** Puts aside exactly these files, also untracked and ignored ones; undefined where git could not do it. */
export function stashCommand(checkouts: readonly CheckoutInTheWay[]): string | undefined {
  if (checkouts.length === 0 || checkouts.some(({ files }) => files.length === 0)) return undefined;
  const commands = checkouts.map(({ folder, files }) => {
    const names = files.map(shellWord).join(' ');
    return `git -C ${shellWord(folder)} --literal-pathspecs stash push --all -- ${names}`;
  });
  return commands.join(' && ');
}

export interface Surroundings {
  readonly icebox: IceboxTurn;
  readonly statusOf: (issue: string) => SeenStatus | undefined;
  readonly now: number;
  /** How long a `retry_` may wait before a person is told, in ms. */
  readonly checkWaitMs: number;
}

export function signalsOf(swarm: Swarm, seen: SeenIssue, policy: Policy, around: Surroundings): Signals {
  const { issue, status } = seen;
  const record = swarm.issues.get(issue.id);
  const records = workersOf(swarm, issue.id);
  const workers = statesOf(records);
  const askedBy = MODES.find((mode) => workers[mode] === 'waiting-user');
  const labels = effectiveLabels(issue.labels, swarm, issue.id);
  return {
    issue: issue.id,
    status,
    labels,
    blockers: issue.openBlockers,
    heldBy: issue.problems?.filter(({ holds }) => holds).map(({ text }) => text),
    children: childrenOf(record?.children ?? [], around.statusOf),
    pullRequest: pullRequestSignals(seen, policy),
    revert: seen.revert?.state,
    held: holdOf(swarm),
    workers,
    evidence: {
      test: proof(seen, record, 'test', (evidence, head) => boundTo(seen, evidence, head, policy)),
      qualityGate: proof(seen, record, 'quality_gate', verdictAt),
      // Bound to no commit, so it counts also while the pull request cannot be read.
      retro: record?.evidence.retro?.verdict ?? 'none',
    },
    rounds: record?.rounds ?? {},
    waitedTooLong: waitedTooLong(record, around),
    ...(askedBy === undefined ? {} : { askedBy }),
    sentBack: record?.sentBack?.ordered === false ? record.sentBack.by : undefined,
    route: status === 'Triage' ? routeIssue(issue).route : 'Icebox',
    icebox: around.icebox,
    checkouts: seen.checkouts?.map(describeCheckout),
    autoMerge: status === 'Retro' ? autoMergeOf(seen, record, labels, policy) : 'not_allowed',
    scriptedWork: records.some(({ scripted }) => scripted === true),
  };
}

/** Deaths hold back only starts; a person's hold stops every step. */
function holdOf({ breaker: { open } }: Swarm): LegionHold | undefined {
  if (open === undefined || open.kind === 'deaths') return undefined;
  const { kind, by = 'an operator', why } = open;
  return { kind, by, why };
}

function statesOf(workers: readonly WorkerRecord[]): Partial<Record<Mode, LifecycleState>> {
  const states: Partial<Record<Mode, LifecycleState>> = {};
  for (const { mode, facts } of workers) states[mode] = lifecycleOf(facts);
  return states;
}

function pullRequestSignals({ pullRequest, issue, changes }: SeenIssue, policy: Policy): PullRequestSignals {
  if (pullRequest === 'none' || pullRequest === 'unknown') return pullRequest;
  const { state, draft, headSha, ci, mergeable, body, reviews } = pullRequest;
  const counts = (sha: string) => stillHolds(sha, headSha, changes, policy.retroPaths);
  return {
    state,
    draft,
    headSha,
    review: reviewVerdict(reviews, counts),
    ci,
    mergeable,
    namesIssue: namesIssue(body, issue),
  };
}

/** Without a readable head there is nothing a proof could be bound to. */
function proof(
  { pullRequest }: SeenIssue,
  record: IssueRecord | undefined,
  kind: EvidenceKind,
  bind: (evidence: Evidence, head: string) => BoundVerdict,
): BoundVerdict {
  const evidence = record?.evidence[kind];
  if (evidence === undefined || pullRequest === 'none') return 'none';
  return pullRequest === 'unknown' ? 'unknown' : bind(evidence, pullRequest.headSha);
}

function boundTo(
  { changes }: SeenIssue,
  evidence: Evidence,
  head: string,
  { retroPaths }: Policy,
): BoundVerdict {
  return boundVerdict(evidence, head, changes, retroPaths);
}

/** The gate stands in for CI, so like CI it counts at its own commit alone; the host can run it again at any time. */
function verdictAt({ sha, verdict }: Evidence, head: string): BoundVerdict {
  return sha === head ? verdict : 'void';
}

function waitedTooLong(record: IssueRecord | undefined, { now, checkWaitMs }: Surroundings): boolean {
  const decision = decisionWithoutHold(record);
  return decision?.action.startsWith('retry_') === true && now - decision.since > checkWaitMs;
}

function autoMergeOf(
  seen: SeenIssue,
  record: IssueRecord | undefined,
  labels: ReadonlySet<string>,
  policy: Policy,
): AutoMergeVerdict {
  const candidate = mergeCandidateOf(seen, record, labels);
  return candidate === undefined ? 'unknown' : autoMergeVerdict(candidate, policy);
}

/** What the auto-merge gate looks at; undefined where there is no pull request to look at. */
export function mergeCandidateOf(
  { pullRequest, addedDependencies }: SeenIssue,
  record: IssueRecord | undefined,
  labels: ReadonlySet<string>,
): MergeCandidate | undefined {
  if (pullRequest === 'none' || pullRequest === 'unknown') return undefined;
  const { draft, additions, deletions, changedFiles } = pullRequest;
  const testSuites = record?.evidence.test?.suites ?? [];
  return { draft, additions, deletions, changedFiles, addedDependencies, testSuites, labels };
}

/** What decides which issue leaves the Icebox next. */
export function iceboxIssues(swarm: Swarm, board: readonly SeenIssue[]): IceboxIssue[] {
  return board
    .filter(({ status }) => status === 'Icebox')
    .map(({ issue, clarified }) => ({
      issue: issue.id,
      parked: swarm.issues.get(issue.id)?.iceboxedByTriage !== true,
      clarified: clarified || issue.labels.includes('user-feedback-given'),
      createdAt: issue.createdAt,
    }));
}

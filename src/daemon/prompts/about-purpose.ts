/**
 * Collects the prompt context for the reason a worker is started: the failing check, the tester's
 * report, the review comments.
 */
import type { Command } from '../../core/model/command.ts';
import type { Evidence } from '../../core/model/evidence.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Mode } from '../../core/model/mode.ts';
import { REJECTED_WORK } from '../../core/pipeline/rejection.ts';
import type { IssueRecord, SentBack } from '../../core/state/state.ts';
import type { Forge, ForgePullRequest } from '../../ports/forge.ts';
import type { PortContext } from '../context/daemon-context.ts';
import type { ContextGroup } from '../context/prompt-template.ts';
import type { ContextBlock } from './quote-untrusted.ts';

/** Only the newest entries are quoted. `legion worker issue` shows the older ones. */
const MAX_REMARKS = 3;
const MAX_COMMENTS = 5;

type SpawnCommand = Extract<Command, { kind: 'spawn' }>;

export async function collectPurposeContext(
  context: PortContext,
  { issue, mode, purpose }: SpawnCommand,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<PromptContext> {
  switch (purpose) {
    case 'plan_changes':
      return { contextBlocks: { comments: await readCommentBlocks(context, issue, signal) } };
    // The forge is queried only for reasons that concern the pull request. Most starts do not need
    // it.
    case 'ci_failure':
    case 'ci_timeout':
    case 'test_failure':
    case 'quality_gate':
    case 'review_changes':
    case 'missing_review':
    case 'conflict':
    case 'sent_back':
    case 'retro':
      return collectPullRequestContext(context, { issue, purpose }, record, signal);
    case 'rejected':
      return { contextBlocks: { order: buildRejectionBlocks(mode, record) } };
    case 'start':
      return { contextBlocks: { earlier: mode === 'test' ? buildEarlierVerdictBlocks(record) : undefined } };
    case 'crash':
      return {
        contextBlocks:
          mode === 'implement'
            ? await collectReworkBlocks(context, issue, record, signal)
            : { order: buildRejectionBlocks(mode, record) },
      };
    default:
      return { contextBlocks: {} };
  }
}

async function collectPullRequestContext(
  { repositories }: PortContext,
  { issue, purpose }: Pick<SpawnCommand, 'issue' | 'purpose'>,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<PromptContext> {
  const { forge } = repositories.require(issue);
  const found = (await forge.pullRequests([issue], signal)).get(issue);
  const pullRequest = typeof found === 'object' ? found : undefined;
  const { test, quality_gate: gate } = record?.evidence ?? {};
  switch (purpose) {
    case 'ci_failure':
    case 'ci_timeout':
      return {
        pullRequest,
        contextBlocks: { check: pullRequest && (await readFailingCheckBlocks(forge, pullRequest, signal)) },
      };
    case 'review_changes':
    case 'missing_review':
      return {
        pullRequest,
        contextBlocks: { remarks: pullRequest && (await readRemarkBlocks(forge, pullRequest, signal)) },
      };
    case 'sent_back':
      return { pullRequest, contextBlocks: { order: record?.sentBack && [toOrderBlock(record.sentBack)] } };
    case 'test_failure':
      return { pullRequest, commit: test?.sha, contextBlocks: { report: test && [toReportBlock(test)] } };
    case 'quality_gate':
      return { pullRequest, commit: gate?.sha, contextBlocks: { output: gate && [toOutputBlock(gate)] } };
    default:
      return { pullRequest, contextBlocks: {} };
  }
}

/**
 * Collects the problems that an implementer was fixing when it crashed, because it may restart with
 * a new session that has never seen them. This context is optional: if the forge cannot be read,
 * the worker starts without it.
 */
async function collectReworkBlocks(
  { repositories }: PortContext,
  issue: string,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<PromptContext['contextBlocks']> {
  const { test, quality_gate: gate } = record?.evidence ?? {};
  const fromJournal = {
    order: [
      ...buildRejectionBlocks('implement', record),
      ...(record?.sentBack === undefined ? [] : [toOrderBlock(record.sentBack)]),
    ],
    ...(test?.verdict === 'failed' ? { report: [toReportBlock(test)] } : {}),
    ...(gate?.verdict === 'failed' ? { output: [toOutputBlock(gate)] } : {}),
  };
  try {
    const { forge } = repositories.require(issue);
    const found = (await forge.pullRequests([issue], signal)).get(issue);
    if (typeof found !== 'object' || found.state !== 'open') return fromJournal;
    return {
      ...fromJournal,
      ...(found.ci === 'failing' || found.ci === 'timed_out'
        ? { check: await readFailingCheckBlocks(forge, found, signal) }
        : {}),
      remarks: await readRemarkBlocks(forge, found, signal),
    };
  } catch (error) {
    if (error instanceof LegionError) return fromJournal;
    throw error;
  }
}

async function readFailingCheckBlocks(
  forge: Forge,
  { headSha }: ForgePullRequest,
  signal: AbortSignal,
): Promise<readonly ContextBlock[]> {
  const check = await forge.failingCheck(headSha, signal);
  if (check === undefined) return [];
  return [
    { kind: 'untrusted', what: 'Name of the failing check', text: check.name },
    { kind: 'untrusted', what: 'End of the failing check’s log', text: check.logTail, keep: 'end' },
  ];
}

/**
 * Returns unresolved change requests. A reviewer's later approval resolves only that reviewer's own
 * requests.
 */
async function readRemarkBlocks(
  forge: Forge,
  { number }: ForgePullRequest,
  signal: AbortSignal,
): Promise<readonly ContextBlock[]> {
  const all = await forge.remarks(number, signal);
  return all
    .filter(
      ({ kind, by }, index) =>
        kind === 'changes_requested' &&
        !all.slice(index).some((later) => later.kind === 'approved' && later.by === by),
    )
    .slice(-MAX_REMARKS)
    .map(({ by, text, outsider }) => ({
      kind: outsider === true ? 'untrusted' : 'order',
      what: 'Changes requested',
      text: `By ${by}:\n\n${text}`,
    }));
}

/** Returns the previous verdict and its commit, for a tester that is started again. */
function buildEarlierVerdictBlocks(record: IssueRecord | undefined): readonly ContextBlock[] {
  const test = record?.evidence.test;
  if (test === undefined) return [];
  const text = `Verdict: ${test.verdict}\n${toReportBlock(test).text}`;
  return [{ kind: 'untrusted', what: 'Verdict of the last test', text }];
}

function toReportBlock({ sha, suites, detail }: Evidence): ContextBlock {
  const ran = suites.length === 0 ? 'none named' : suites.join(', ');
  return {
    kind: 'order',
    what: 'The tester’s findings',
    text: `At commit ${sha}\nSuites that ran: ${ran}\n\n${detail}`,
  };
}

function toOrderBlock({ by, why }: SentBack): ContextBlock {
  return { kind: 'order', what: `Why the ${by} worker sent the work back`, text: why };
}

/** Returns the reasons of the people who rejected this worker's result, oldest first. */
function buildRejectionBlocks(mode: Mode, record: IssueRecord | undefined): readonly ContextBlock[] {
  const { rejection } = record ?? {};
  if (rejection === undefined || REJECTED_WORK[rejection.of].mode !== mode) return [];
  return rejection.reasons.map(({ by, why }) => ({
    kind: 'decision',
    what: `Why ${by} rejected the ${rejection.of}`,
    text: why,
  }));
}

function toOutputBlock({ detail }: Evidence): ContextBlock {
  return { kind: 'untrusted', what: 'End of the quality gate’s output', text: detail, keep: 'end' };
}

async function readCommentBlocks(
  context: PortContext,
  issue: string,
  signal: AbortSignal,
): Promise<readonly ContextBlock[]> {
  const all = await context.tracker.commentsSince(issue, 0, signal);
  return all
    .filter(({ by }) => by !== 'outsider')
    .slice(-MAX_COMMENTS)
    .map(({ author, by, text }) => ({
      kind: by === 'writer' ? 'decision' : 'order',
      what: 'Comment',
      text: `By ${author}:\n\n${text}`,
    }));
}

export interface PromptContext {
  readonly contextBlocks: Readonly<Partial<Record<ContextGroup, readonly ContextBlock[] | undefined>>>;
  /** Operator messages not yet delivered to this worker, oldest first. */
  readonly operator?: readonly string[] | undefined;
  /** Present if the purpose concerns the pull request. */
  readonly pullRequest?: { readonly number: number; readonly headSha: string } | undefined;
  /** Commit at which the tests or the quality gate failed. */
  readonly commit?: string | undefined;
}

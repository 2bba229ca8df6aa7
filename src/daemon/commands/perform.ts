/** Runs commands. Short ones are implemented here, longer ones in their own modules. */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { hasClosingKeyword } from '../../core/model/issue.ts';
import { hasActiveWorker } from '../../core/state/workers.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import type { PreparedWorkspace } from '../repositories/prepared-workspace.ts';
import { quoteFailingLog, readFailingLog } from '../repositories/read-checks.ts';
import { formatLastOutput, readLastOutput } from '../supervisor/last-output.ts';
import { createDoneOutcome, createSupersededOutcome, type IntentOutcome } from './outcome.ts';
import { spawnAttempt } from './spawn.ts';
import { stopAttempt } from './stop.ts';
import { writeIssue } from './write-issue.ts';

/**
 * Runs one command. Idempotent, because an intent with an unknown outcome runs again at the next
 * start.
 */
export async function performCommand(
  context: DaemonContext,
  command: Command,
  signal: AbortSignal,
  prepared?: Promise<PreparedWorkspace>,
): Promise<IntentOutcome> {
  switch (command.kind) {
    case 'write_issue':
      return writeIssue(context, command, signal);
    case 'spawn':
      return spawnAttempt(context, command, signal, prepared);
    case 'comment':
    case 'escalate':
      return postComment(context, command);
    case 'put_comment':
      return putComment(context, command);
    case 'reread_forge':
      // The command itself does nothing: the next reconcile pass always finds the pull request by
      // branch and reads it from the forge again.
      return createDoneOutcome('read again');
    case 'run_quality_gate':
      return runQualityGate(context, command, signal);
    case 'add_closing_keyword':
      return addClosingKeyword(context, command, signal);
    case 'stop':
      return stopAttempt(context, command, signal);
    case 'clean_workspace':
      return cleanWorkspace(context, command, signal);
  }
}

/**
 * Adds a reference to the issue to the body of the issue's pull request, unless the body already
 * contains one.
 */
async function addClosingKeyword(
  { repositories, tracker }: PortContext,
  { issue, line }: Extract<Command, { kind: 'add_closing_keyword' }>,
  signal: AbortSignal,
): Promise<IntentOutcome> {
  const { forge } = repositories.require(issue);
  const pullRequest = (await forge.pullRequests([issue], signal)).get(issue);
  const known = await tracker.read(issue, signal);
  if (typeof pullRequest !== 'object' || known === undefined)
    return createSupersededOutcome('the pull request or the issue was not found');
  if (hasClosingKeyword(pullRequest.body, known))
    return createDoneOutcome('the body already refers to the issue');
  await forge.edit(pullRequest.number, { body: `${pullRequest.body.trimEnd()}\n\n${line}\n` });
  return createDoneOutcome(`added ${JSON.stringify(line)}`);
}

type CommentCommand = Extract<Command, { kind: 'comment' | 'escalate' }>;

/** Posts a comment on the issue once per key. Escalations also appear in the inbox. */
async function postComment(
  context: StateContext & PortContext,
  command: CommentCommand,
): Promise<IntentOutcome> {
  const { issue, key } = command;
  await context.tracker.comment(issue, key, await buildCommentText(context, command));
  return createDoneOutcome('commented');
}

/**
 * A comment only informs people. If the tracker refuses it permanently, the issue continues without
 * it.
 */
async function putComment(
  { tracker, repositories }: PortContext,
  { issue, key, text, pullRequest }: Extract<Command, { kind: 'put_comment' }>,
): Promise<IntentOutcome> {
  try {
    if (pullRequest === undefined) await tracker.putComment(issue, key, text);
    else await repositories.require(issue).forge.putComment(pullRequest, key, text);
  } catch (error) {
    if (!(error instanceof LegionError) || error.retryable) throw error;
    return createSupersededOutcome(`not commented: ${error.message}`);
  }
  return createDoneOutcome('commented');
}

/**
 * Adds the worker's last output and the end of the failing CI log to the comment, because the
 * person needs both to decide.
 */
async function buildCommentText(
  context: StateContext & PortContext,
  command: CommentCommand,
): Promise<string> {
  if (command.kind !== 'escalate') return command.text;
  const { issue, text, worker } = command;
  const failing = await readFailingLog(context, issue);
  const output = worker && (await readLastOutput(context, toWorkerId(issue, worker.mode), worker.attempt));
  return [
    text,
    ...(worker === undefined || output === undefined ? [] : [formatLastOutput(worker.mode, output)]),
    ...(failing === undefined ? [] : [quoteFailingLog(failing)]),
  ].join('\n\n');
}

/** Removes the workspace of a finished issue unless work would be lost. */
async function cleanWorkspace(
  { workspaces, ledger, repositories }: StateContext & PortContext,
  { issue }: Extract<Command, { kind: 'clean_workspace' }>,
  signal: AbortSignal,
): Promise<IntentOutcome> {
  // The issue may have been reopened since the cleanup was decided.
  if (hasActiveWorker(ledger.state, issue)) return createSupersededOutcome('a worker is running');
  // Fetches first, because only an up-to-date base branch shows whether the work is merged.
  await repositories.find(issue)?.fetchLatest(signal);
  const merged = ledger.state.issues.get(issue)?.merged;
  const removal = await workspaces.remove(
    issue,
    merged === undefined ? undefined : { mergedAs: merged.mergedSha },
  );
  return removal.removed
    ? createDoneOutcome('removed')
    : { outcome: 'failed', detail: `kept, because it holds ${removal.holds.join('; ')}` };
}

/** Runs the repository's quality gate in the issue's workspace, at exactly the requested commit. */
export async function runQualityGate(
  { gates, ledger }: StateContext & PortContext,
  { issue, sha }: Extract<Command, { kind: 'run_quality_gate' }>,
  signal: AbortSignal,
): Promise<IntentOutcome> {
  const known = ledger.state.issues.get(issue)?.evidence.quality_gate;
  // The gate runs only once per commit. The result is already known if the implementer's report
  // recorded it, or if this command recorded it just before the daemon was killed.
  if (known?.sha === sha && known.verdict !== 'could_not_run')
    return createDoneOutcome(`${known.verdict} already`);
  const ended = await waitOrAbort(gates.run(issue, sha).ended, signal);
  return ended.recorded ? createDoneOutcome(ended.detail) : createSupersededOutcome(ended.detail);
}

/**
 * Rejects when `signal` aborts, without waiting for the gate run. The run continues until the gates
 * are closed, which happens only after all commands have ended.
 */
function waitOrAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
    void work.finally(() => signal.removeEventListener('abort', fail)).catch(() => undefined);
  });
  return Promise.race([work, aborted]);
}

/** Lists everything that is waiting for a person, each item with the command that settles it. */

import type { Decision } from '../../../core/model/action.ts';
import { CATALOGUE, type FaultCode } from '../../../core/model/fault.ts';
import { type IssueId, readWorkerId, toWorkerId } from '../../../core/model/ids.ts';
import { type Issue, resolveApprovalSubject } from '../../../core/model/issue.ts';
import type { ObservedIssue } from '../../../core/model/observed-issue.ts';
import { isFinished, type ObservedStatus, readStatus } from '../../../core/model/status.ts';
import { findWaitStart, type WaitExplanation } from '../../../core/state/explain-wait.ts';
import { findDecisionWithoutHold } from '../../../core/state/issues.ts';
import { buildStashCommand, describeCheckout } from '../../../core/state/observation.ts';
import type { LegionState } from '../../../core/state/state.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import type { RepositoryCommands } from '../../../protocol/repository.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import { openEvaluator } from '../../context/evaluator.ts';
import type { UndecidedWorker } from '../../context/worker-activity.ts';
import type { LoopControl } from '../../loop/control.ts';
import type { FailingLogs } from '../../repositories/read-checks.ts';
import { readLastOutput } from '../../supervisor/last-output.ts';
import { findLastSeenWaits } from '../evaluate-issues.ts';
import { readIssues } from '../read-outside.ts';
import { describeStoppingWorkers } from './hold.ts';
import { explainRolledBack, listOpenReverts, type RevertStates } from './reverts.ts';
import { showApproval } from './show-approval.ts';
import { findPersonWaits } from './waiting-on.ts';

/** Caches that the inbox keeps between reads. */
export interface InboxSources {
  readonly failingLogs: FailingLogs;
  readonly dayItems: () => readonly InboxItem[];
  readonly revertStates: RevertStates;
}

/** A board that was just read, with the decisions about its issues. */
export interface DecidedBoard {
  readonly issues: readonly Issue[];
  readonly decisions: ReadonlyMap<IssueId, Decision>;
}

/**
 * Returns the inbox items, longest waiting first. `startedAt` is the time at which the daemon
 * started. Reads the board if none is given.
 */
export async function collectInbox(
  context: DaemonContext,
  control: Pick<LoopControl, 'listUndecided'>,
  sources: InboxSources,
  startedAt: number,
  board?: DecidedBoard,
): Promise<readonly InboxItem[]> {
  const { columns } = context.settings();
  const { issues, decisions } = board ?? {
    issues: await readIssues(context),
    decisions: findLastSeenWaits(context),
  };
  const open = issues.filter(({ column }) => !isFinished(readStatus(column, columns)));
  const ofIssues = await Promise.all(
    open.map((issue) => listIssueItems(context, issue, decisions.get(issue.id), sources)),
  );
  const reverts = await listOpenReverts(context, issues, ofIssues.flat(), sources.revertStates);
  const { state } = context.ledger;
  const commands = await listUnapprovedCommands(context, startedAt);
  const ofWorkers = listWorkerItems(state, control.listUndecided());
  const items = [
    ...listPausedStarts(state),
    ...sources.dayItems(),
    ...listPreflightProblems(context, startedAt),
    ...listMissingConsent(context),
    ...ofIssues.flat(),
    ...reverts,
    ...ofWorkers,
    ...commands,
  ];
  return items.sort((a, b) => a.since - b.since);
}

/**
 * Returns items about workers and messages that are waiting for a person even though their issue is
 * not.
 */
export function listWorkerItems(
  state: LegionState,
  undecided: readonly UndecidedWorker[],
): readonly InboxItem[] {
  return [...undecided.flatMap((worker) => toWorkerItems(state, worker)), ...listSetAsideMessages(state)];
}

async function listIssueItems(
  context: StateContext & PortContext,
  issue: Issue,
  decision: Decision | undefined,
  { failingLogs, revertStates }: InboxSources,
): Promise<InboxItem[]> {
  const { ledger, settings, boardView } = context;
  const { columns } = settings();
  const { id, title } = issue;
  const record = ledger.state.issues.get(id);
  const { questions, kinds } = findPersonWaits(ledger.state, issue, decision);
  // The log is read only for issues that are waiting for a person, because reading it may query the
  // forge.
  const ci = kinds.length === 0 ? undefined : await failingLogs(id);
  // The last decision may be older than the current status, for example after a rollback.
  const since = Math.max(
    findDecisionWithoutHold(record)?.since ?? 0,
    issue.enteredStatusAt ?? issue.createdAt,
  );
  const pausedAt = findWaitStart(ledger.state, id, { action: 'skip', reason: 'paused' });
  const stopping = describeStoppingWorkers(context, id);
  const status = readStatus(issue.column, columns);
  const approves = resolveApprovalSubject(status, issue.labels);
  const approval = findLastSeenApproval(context, issue, status);
  const rolledBack = explainRolledBack(context, id, status, issue.labels, await revertStates(id));
  const asked = questions.map(
    ({ question, mode, text, askedAt }): InboxItem => ({
      kind: 'question',
      issue: id,
      title,
      text: `${mode} asks: ${text}`,
      since: askedAt,
      question,
      mode,
      next: `legion answer ${id} --question ${question} "…"`,
    }),
  );
  const waiting = kinds.map(
    async ({ kind, message, explained, next }): Promise<InboxItem> => ({
      kind,
      issue: id,
      title,
      text: addSentence(
        (kind === 'approval' ? rolledBack?.text : undefined) ??
          (kind === 'escalation' ? describeCheckouts(boardView.find(id)?.checkouts) : undefined) ??
          (explained === undefined ? message : await withLastOutput(context, id, explained)),
        stopping,
      ),
      since: (kind === 'paused' ? pausedAt : undefined) ?? since,
      ...(kind === 'approval' ? { approves, approval } : {}),
      ...(rolledBack === undefined && explained?.read !== undefined ? { read: explained.read } : {}),
      ...(ci === undefined ? {} : { ci }),
      next:
        (kind === 'approval' ? rolledBack?.next : undefined) ??
        findStashCommand(boardView.find(id)?.checkouts, kind) ??
        next(id),
    }),
  );
  return [
    ...asked,
    ...(await Promise.all(waiting)),
    ...listIssueProblems(boardView.find(id)?.issue ?? issue, since),
  ];
}

/** Uses the board as the loop last saw it, so that the inbox costs no requests to the forge. */
function findLastSeenApproval(
  context: StateContext & PortContext,
  issue: Issue,
  status: ObservedStatus,
): InboxItem['approval'] {
  const seen = context.boardView.find(issue.id);
  if (seen === undefined || !issue.labels.includes('needs-approval')) return undefined;
  return showApproval(context, openEvaluator(context).evaluate({ ...seen, issue, status }));
}

function addSentence(text: string, sentence: string): string {
  if (sentence === '') return text;
  return `${text}${text.includes('\n') ? '\n' : ' '}${sentence}`;
}

/** Lists problems in an issue's own record that prevent its workers from starting. */
function listIssueProblems({ id, title, problems = [] }: Issue, since: number): InboxItem[] {
  const next = `legion explain ${id}`;
  return problems.flatMap(({ text, holds }) =>
    holds ? [{ kind: 'problem', issue: id, title, text, since, next }] : [],
  );
}

/** Adds the last output, so that the person does not have to search a log for the reason. */
async function withLastOutput(
  context: PortContext,
  issue: IssueId,
  { cause, worker }: WaitExplanation,
): Promise<string> {
  if (worker === undefined) return cause;
  const { mode, attempt } = worker;
  const output = await readLastOutput(context, toWorkerId(issue, mode), attempt);
  return output === undefined ? cause : `${cause}\n\nLast output of the ${mode} worker:\n${output}`;
}

/**
 * Describes the checkouts that block a merge. Uses the last reconcile pass instead of the journal,
 * because the files may have changed since the decision was journaled.
 */
function describeCheckouts(checkouts: ObservedIssue['checkouts'] = []): string | undefined {
  if (checkouts.length === 0) return undefined;
  return [
    'The merge would change files that have uncommitted changes in your own checkout:',
    ...checkouts.map(describeCheckout),
    'Commit them, or stash them with the command below; the merge then continues by itself.',
  ].join('\n');
}

function findStashCommand(
  checkouts: ObservedIssue['checkouts'] = [],
  kind: InboxItem['kind'],
): string | undefined {
  return kind === 'escalation' ? buildStashCommand(checkouts) : undefined;
}

/**
 * Builds an item about a process that may be working or stuck. A person can tell which from its
 * output.
 */
function toWorkerItems({ workers }: LegionState, { worker, why, since }: UndecidedWorker): InboxItem[] {
  const record = workers.get(worker);
  if (record === undefined) return [];
  const { issue, mode } = record;
  const next = `legion logs ${issue} ${mode}; legion stop ${issue} ${mode} if it is stuck`;
  return [{ kind: 'worker', issue, title: `Is ${worker} still working?`, text: why, since, next, mode }];
}

function listPausedStarts({ breaker }: LegionState): InboxItem[] {
  if (breaker.open === undefined) return [];
  const { kind, why, since } = breaker.open;
  const title = kind === 'halt' ? 'The legion is halted' : 'Worker starts are paused';
  return [{ kind: 'paused', issue: null, title, text: why, since, next: 'legion resume' }];
}

/**
 * Lists preflight problems, except commands that are waiting for approval. Those have their own
 * item, which offers the approval.
 */
function listPreflightProblems(
  { preflight, problems }: StateContext & PortContext,
  startedAt: number,
): InboxItem[] {
  const known = problems.list();
  return preflight
    .problems()
    .filter(({ code }) => code !== 'preflight.commands_unapproved')
    .map(({ code, message, repo, remedy }) => ({
      kind: 'problem',
      issue: null,
      title: `No worker can start${repo === undefined ? '' : ` for ${repo}`}`,
      text: message,
      since: known.find((each) => each.code === code && each.message === message)?.since ?? startedAt,
      ...(repo === undefined ? {} : { repo }),
      next: remedy ?? PROBLEM_NEXT[code] ?? 'legion doctor',
    }));
}

/**
 * Reports missing consent, because without it no real worker starts, even if nothing else on the
 * board blocks the start.
 */
function listMissingConsent({ problems }: StateContext): InboxItem[] {
  return problems
    .list()
    .filter(({ code }) => code === 'consent.required' || code === 'consent.invalid')
    .map(({ code, message, since }) => ({
      kind: 'problem',
      issue: null,
      title: 'No worker can start',
      text: message,
      since,
      next: code === 'consent.required' ? 'legion up' : CATALOGUE[code].next,
    }));
}

const PROBLEM_NEXT: Partial<Record<FaultCode, string>> = {
  'preflight.unchecked': 'legion init --commands',
  'tracker.column_missing': 'legion init --create-missing',
  'baseline.failed': 'legion up --ignore-baseline',
  'baseline.could_not_run': 'legion up --rerun-baseline',
  'git.submodule_failed': 'legion up --rerun-baseline',
};

async function listUnapprovedCommands({ repositories }: PortContext, since: number): Promise<InboxItem[]> {
  const all = await Promise.all(repositories.all.map((repository) => repository.commands()));
  return all.flatMap((asked) => toApprovalItems(asked, since));
}

function toApprovalItems(
  { repo, approved, commands, prompts }: RepositoryCommands,
  since: number,
): readonly InboxItem[] {
  // Prompts are long, so only their names are listed. The command that approves them shows the
  // whole text.
  const own = Object.keys(prompts).map((name) => `prompt ${name}`);
  const lines = [...Object.entries(commands).map(([name, argv]) => `${name}: ${argv.join(' ')}`), ...own];
  if (approved || lines.length === 0) return [];
  const asks = own.length === 0 ? 'run commands' : 'run commands and use prompts';
  return [
    {
      kind: 'commands',
      issue: null,
      title: `The repository ${repo} asks to ${asks}`,
      text: lines.join('\n'),
      since,
      repo,
      next: 'legion approve --commands',
    },
  ];
}

function listSetAsideMessages(state: LegionState): InboxItem[] {
  return [...state.messages.values()].flatMap(({ to, body, queuedAt, setAside: why }): InboxItem[] => {
    if (why === undefined) return [];
    const id = readWorkerId(to);
    const worker = id.ok ? state.workers.get(to) : undefined;
    const next =
      worker === undefined
        ? 'read it: no worker has this role'
        : `legion prompt ${worker.issue} --mode ${worker.mode} "…"`;
    const issue = worker?.issue ?? null;
    return [
      {
        ...(worker === undefined ? {} : { mode: worker.mode }),
        kind: 'message',
        issue,
        title: `A message to ${to} was set aside: ${why}`,
        text: body,
        since: queuedAt,
        next,
      },
    ];
  });
}

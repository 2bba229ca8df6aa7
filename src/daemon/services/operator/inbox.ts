/** Everything that waits for a person, each with the command that settles it. */

import { CATALOGUE, type FaultCode } from '../../../core/model/fault.ts';
import { type IssueId, readWorkerId, workerId } from '../../../core/model/ids.ts';
import { isFinished, readStatus } from '../../../core/model/status.ts';
import { decisionWithoutHold } from '../../../core/state/evolve/issue.ts';
import { describeCheckout, type SeenIssue, stashCommand } from '../../../core/state/observation.ts';
import type { Swarm } from '../../../core/state/state.ts';
import { approvalSubject } from '../../../domain/approval-subject.ts';
import type { Decision } from '../../../domain/decision.ts';
import type { Issue } from '../../../domain/issue.ts';
import type { InboxItem, RepositoryCommands } from '../../../protocol/operator.ts';
import type { WaitExplanation } from '../../../swarm/explain-wait.ts';
import { findWaitStart } from '../../../swarm/wait-start.ts';
import type { FailingLogs } from '../../ci/failing-log.ts';
import type { Control } from '../../control.ts';
import { findLastSeenWaits } from '../../desks/evaluate-issues.ts';
import { describeStoppingWorkers } from '../../desks/operator/describe-stopping-workers.ts';
import { explainRolledBack } from '../../desks/operator/explain-rolled-back.ts';
import { listOpenReverts } from '../../desks/operator/list-open-reverts.ts';
import type { RevertStates } from '../../desks/operator/revert-states.ts';
import { presentIssues } from '../../desks/read-outside.ts';
import type { Undecided } from '../../supervise/supervisor.ts';
import { readLastOutput } from '../../supervisor/last-output.ts';
import type { World } from '../../world.ts';
import { waitingOn } from './waiting-on.ts';

/** What the inbox remembers from one reading to the next. */
export interface InboxSources {
  readonly failingLogs: FailingLogs;
  readonly dayItems: () => readonly InboxItem[];
  readonly revertStates: RevertStates;
}

/** A board that was just read, and what its issues wait for. */
export interface DecidedBoard {
  readonly issues: readonly Issue[];
  readonly decisions: ReadonlyMap<IssueId, Decision>;
}

/** The longest waiting first. `startedAt` is when the daemon began to look. Reads the board where none is given. */
export async function inbox(
  world: World,
  control: Pick<Control, 'undecided'>,
  sources: InboxSources,
  startedAt: number,
  board?: DecidedBoard,
): Promise<readonly InboxItem[]> {
  const { columns } = world.settings();
  const { issues, decisions } = board ?? {
    issues: await presentIssues(world),
    decisions: findLastSeenWaits(world),
  };
  const open = issues.filter(({ column }) => !isFinished(readStatus(column, columns)));
  const ofIssues = await Promise.all(
    open.map((issue) => ofIssue(world, issue, decisions.get(issue.id), sources)),
  );
  const reverts = await listOpenReverts(world, issues, ofIssues.flat(), sources.revertStates);
  const { swarm } = world.ledger;
  const commands = await unapprovedCommands(world, startedAt);
  const ofWorkers = aboutWorkers(swarm, control.undecided());
  const items = [
    ...startsPaused(swarm),
    ...sources.dayItems(),
    ...problemsOf(world, startedAt),
    ...missingConsent(world),
    ...ofIssues.flat(),
    ...reverts,
    ...ofWorkers,
    ...commands,
  ];
  return items.sort((a, b) => a.since - b.since);
}

/** What waits for a person though its issue does not. */
export function aboutWorkers(swarm: Swarm, undecided: readonly Undecided[]): readonly InboxItem[] {
  return [...undecided.flatMap((worker) => ofWorker(swarm, worker)), ...setAside(swarm)];
}

async function ofIssue(
  world: World,
  issue: Issue,
  decision: Decision | undefined,
  { failingLogs, revertStates }: InboxSources,
): Promise<InboxItem[]> {
  const { ledger, settings, view } = world;
  const { columns } = settings();
  const { id, title } = issue;
  const record = ledger.swarm.issues.get(id);
  const { questions, kinds } = waitingOn(ledger.swarm, issue, decision);
  // Only for those that wait: it may mean to ask the forge.
  const ci = kinds.length === 0 ? undefined : await failingLogs(id);
  // The last decision may be older than the status, as after a rollback.
  const since = Math.max(decisionWithoutHold(record)?.since ?? 0, issue.enteredStatusAt ?? issue.createdAt);
  const pausedAt = findWaitStart(ledger.swarm, id, { action: 'skip', reason: 'paused' });
  const stopping = describeStoppingWorkers(world, id);
  const status = readStatus(issue.column, columns);
  const approves = approvalSubject(status, issue.labels);
  const rolledBack = explainRolledBack(world, id, status, issue.labels, await revertStates(id));
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
    async ({ kind, says, explained, next }): Promise<InboxItem> => ({
      kind,
      issue: id,
      title,
      text: addSentence(
        (kind === 'approval' ? rolledBack?.text : undefined) ??
          (kind === 'escalation' ? checkoutText(view.of(id)?.checkouts) : undefined) ??
          (explained === undefined ? says : await withLastOutput(world, id, explained)),
        stopping,
      ),
      since: (kind === 'paused' ? pausedAt : undefined) ?? since,
      ...(kind === 'approval' ? { approves } : {}),
      ...(rolledBack === undefined && explained?.read !== undefined ? { read: explained.read } : {}),
      ...(ci === undefined ? {} : { ci }),
      next:
        (kind === 'approval' ? rolledBack?.next : undefined) ??
        stashNext(view.of(id)?.checkouts, kind) ??
        next(id),
    }),
  );
  return [...asked, ...(await Promise.all(waiting)), ...problemsIn(view.of(id)?.issue ?? issue, since)];
}

function addSentence(text: string, sentence: string): string {
  if (sentence === '') return text;
  return `${text}${text.includes('\n') ? '\n' : ' '}${sentence}`;
}

/** What is wrong with its record, where no worker starts because of it. */
function problemsIn({ id, title, problems = [] }: Issue, since: number): InboxItem[] {
  const next = `legion explain ${id}`;
  return problems.flatMap(({ text, holds }) =>
    holds ? [{ kind: 'problem', issue: id, title, text, since, next }] : [],
  );
}

/** Whoever has to decide what now should not have to look for the reason in a log. */
async function withLastOutput(
  world: World,
  issue: IssueId,
  { cause, worker }: WaitExplanation,
): Promise<string> {
  if (worker === undefined) return cause;
  const { mode, attempt } = worker;
  const output = await readLastOutput(world, workerId(issue, mode), attempt);
  return output === undefined ? cause : `${cause}\n\nLast output of the ${mode} worker:\n${output}`;
}

/** From the last look and not from the journal: the files may be others by now. */
function checkoutText(checkouts: SeenIssue['checkouts'] = []): string | undefined {
  if (checkouts.length === 0) return undefined;
  return [
    'The merge would change files that have uncommitted changes in your own checkout:',
    ...checkouts.map(describeCheckout),
    'Commit them, or put them aside with the command below; the merge then continues by itself.',
  ].join('\n');
}

function stashNext(checkouts: SeenIssue['checkouts'] = [], kind: InboxItem['kind']): string | undefined {
  return kind === 'escalation' ? stashCommand(checkouts) : undefined;
}

/** A process that may be at work or lost: whoever looks at what it wrote can tell. */
function ofWorker({ workers }: Swarm, { worker, why, since }: Undecided): InboxItem[] {
  const record = workers.get(worker);
  if (record === undefined) return [];
  const { issue, mode } = record;
  const next = `legion logs ${issue} ${mode}; legion stop ${issue} ${mode} if it is lost`;
  return [{ kind: 'worker', issue, title: `Is ${worker} still at work?`, text: why, since, next, mode }];
}

function startsPaused({ breaker }: Swarm): InboxItem[] {
  if (breaker.open === undefined) return [];
  const { kind, why, since } = breaker.open;
  const title = kind === 'halt' ? 'The legion is halted' : 'No worker is started';
  return [{ kind: 'paused', issue: null, title, text: why, since, next: 'legion resume' }];
}

/** Commands that wait for approval have an item of their own, which can be settled in place. */
function problemsOf({ preflight, troubles }: World, startedAt: number): InboxItem[] {
  const known = troubles.list();
  return preflight
    .problems()
    .filter(({ code }) => code !== 'preflight.commands_unapproved')
    .map(({ code, message, repo, remedy }) => ({
      kind: 'problem',
      issue: null,
      title: `No worker is started${repo === undefined ? '' : ` for ${repo}`}`,
      text: message,
      since: known.find((each) => each.code === code && each.message === message)?.since ?? startedAt,
      ...(repo === undefined ? {} : { repo }),
      next: remedy ?? PROBLEM_NEXT[code] ?? 'legion doctor',
    }));
}

/** Without consent no real worker starts, although the board waits for nothing else. */
function missingConsent({ troubles }: World): InboxItem[] {
  return troubles
    .list()
    .filter(({ code }) => code === 'consent.required' || code === 'consent.invalid')
    .map(({ code, message, since }) => ({
      kind: 'problem',
      issue: null,
      title: 'No worker is started',
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

async function unapprovedCommands({ repositories }: World, since: number): Promise<InboxItem[]> {
  const all = await Promise.all(repositories.all.map((repository) => repository.commands()));
  return all.flatMap((asked) => unapproved(asked, since));
}

function unapproved(
  { repo, approved, commands, prompts }: RepositoryCommands,
  since: number,
): readonly InboxItem[] {
  // A prompt has pages: here is its name, and the command that approves it shows it whole.
  const own = Object.keys(prompts).map((name) => `prompt ${name}`);
  const lines = [...Object.entries(commands).map(([name, argv]) => `${name}: ${argv.join(' ')}`), ...own];
  if (approved || lines.length === 0) return [];
  const asks = own.length === 0 ? 'have commands run' : 'have its commands run and its prompts used';
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

function setAside(swarm: Swarm): InboxItem[] {
  return [...swarm.messages.values()].flatMap(({ to, body, queuedAt, setAside: why }): InboxItem[] => {
    if (why === undefined) return [];
    const id = readWorkerId(to);
    const worker = id.ok ? swarm.workers.get(to) : undefined;
    const next =
      worker === undefined
        ? 'read it: nobody holds this role'
        : `legion prompt ${worker.issue} --mode ${worker.mode} "…"`;
    const issue = worker?.issue ?? null;
    return [
      {
        ...(worker === undefined ? {} : { mode: worker.mode }),
        kind: 'message',
        issue,
        title: `A message to ${to} was put aside: ${why}`,
        text: body,
        since: queuedAt,
        next,
      },
    ];
  });
}

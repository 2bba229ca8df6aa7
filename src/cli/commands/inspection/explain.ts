/** `legion explain`: explains why an issue is or is not moving. */
import { Command } from '@commander-js/extra-typings';
import { describeAction } from '../../../core/model/action.ts';
import { formatCount, formatDollars, formatDuration, formatTokens } from '../../../core/model/format.ts';
import { describePendingStop, hasEnded } from '../../../core/model/lifecycle.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import type { GatesView, IssueExplanation } from '../../../protocol/operator.ts';
import type { WorkerStatusView } from '../../../protocol/workers.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { parseIssueId } from '../../parse-names.ts';
import { renderBullets, renderFields, renderHeading, renderSection } from '../../present/page.ts';
import { formatLocalMoment, formatTimeAgo, renderChecklist, toStatusLabel } from '../../present/words.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

/**
 * Statuses shortly before a merge. For issues in these statuses, the explanation includes the
 * conditions for merging.
 */
const NEAR_MERGE: readonly string[] = ['Needs Review', 'Retro'];

export const explain = daemonCommand(
  () =>
    new Command()
      .description(
        'Explain why an issue is or is not moving: what is due, why, since when, and what will end the wait. After a failure, also show the end of the agent’s output.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--details', 'Also show the evidence for each decision and verdict')
      .addHelpText('after', renderExamples('legion explain SHOP-1', 'legion explain SHOP-1 --details')),
  async ({ positionals: [issue], options }, { daemon }) => {
    const id = parseIssueId(issue);
    const explanation = await daemon.call(issueActionEndpoints.explain, { params: { id } });
    const gates = await readRelevantGates(daemon, explanation);
    return {
      data: { ...explanation, gates },
      text: renderExplanation(explanation, gates, { now: Date.now(), details: options.details === true }),
    };
  },
);

async function readRelevantGates(
  daemon: DaemonClient,
  { state }: IssueExplanation,
): Promise<GatesView | undefined> {
  if (!NEAR_MERGE.includes(state.status) || state.hasPr !== true) return undefined;
  return daemon.call(issueActionEndpoints.gates, { params: { id: state.id } });
}

interface ExplanationOptions {
  readonly now: number;
  /** If true, also shows decisions and verdicts with their evidence. */
  readonly details: boolean;
}

export function renderExplanation(
  explanation: IssueExplanation,
  gates: GatesView | undefined,
  { now, details }: ExplanationOptions,
): string {
  const { state, since, rounds, workers, spent, openIntents, openQuestions, lastOutput, history } =
    explanation;
  const { waitingMessages, approval, approved } = explanation;
  const counted = Object.entries(rounds).filter(([, count]) => count > 0);
  return [
    renderHeading(`${state.id}  ${state.title}`),
    renderFields([
      ['status', toStatusLabel(state.status)],
      ['why', details ? `${state.says} [${state.reason}]` : state.says],
      ['next', describeNextStep(state)],
      ['read it', state.until.read],
      ['until', state.until.next === undefined ? undefined : state.until.what],
      [
        'due',
        state.suggestedAction === 'skip' && !details
          ? undefined
          : describeDueAction(state.suggestedAction, details),
      ],
      [
        'since',
        since === null ? undefined : `${formatLocalMoment(since)}, for ${formatDuration(now - since)}`,
      ],
      ['evidence', details ? state.evidence.join('\n') : undefined],
      ['problems', state.problems?.join('\n')],
      ['labels', state.labels.join(' ')],
      ['waits for', state.isBlocked ? state.blockedByIds.join(' ') : undefined],
      ['pull request', describePullRequestState(state)],
      ['approved', approved === undefined ? undefined : describeGivenApproval(approved)],
      ['used', workers.length === 0 ? undefined : formatSpending(spent)],
      ['rounds', counted.map(([reason, count]) => `${replaceUnderscores(reason)} ${count}`).join(', ')],
    ]),
    lastOutput === undefined
      ? ''
      : renderSection(
          `Last output of the ${lastOutput.mode} worker (attempt ${lastOutput.attempt})`,
          renderBullets(lastOutput.text.split('\n')),
        ),
    renderSection('To approve', renderBullets(approval === undefined ? [] : approval.text.split('\n'))),
    renderSection('Questions', renderBullets(openQuestions.map(createQuestionFormatter(state.id, now)))),
    renderSection(
      'Messages not delivered yet',
      renderBullets(waitingMessages.map(createMessageFormatter(now))),
    ),
    renderSection('Workers', workers.map((worker) => renderWorker(worker, now, details)).join('')),
    renderSection('Merge', gates === undefined ? '' : renderChecklist(gates.preMerge)),
    renderSection(
      'Under way',
      renderBullets(
        openIntents.map(
          ({ intent, kind, since }) =>
            `${replaceUnderscores(kind)}${details ? ` (intent ${intent})` : ''}, began ${formatTimeAgo(since, now)}`,
        ),
      ),
    ),
    renderSection('History', renderBullets(history.map((event) => formatHistoryEntry(event, details)))),
    details ? '' : `\nRun \`legion explain ${state.id} --details\` to see the evidence.\n`,
  ].join('');
}

/**
 * Formats a waiting message. Omits the sender, because the first line of the message already shows
 * it.
 */
function createMessageFormatter(
  now: number,
): (message: IssueExplanation['waitingMessages'][number]) => string {
  return ({ message, mode, text, queuedAt }) =>
    `message ${message} to the ${mode} worker, sent ${formatTimeAgo(queuedAt, now)}: ${text.replace(/\s+/g, ' ')}`;
}

/** Turns a name such as `ci_failure` into words. */
function replaceUnderscores(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Describes who has to act, and how. */
function describeNextStep({ until }: IssueExplanation['state']): string {
  switch (until.by) {
    case 'person':
      return until.next === undefined ? `You: ${until.what}` : `You: ${until.next}`;
    case 'nothing_more':
      return until.what;
    default:
      return `Legion continues by itself when ${until.what}`;
  }
}

function formatHistoryEntry(
  { at, what, evidence = [] }: IssueExplanation['history'][number],
  details: boolean,
): string {
  const facts = details && evidence.length > 0 ? ` (${evidence.join(', ')})` : '';
  return `${formatLocalMoment(at)}  ${what}${facts}`;
}

function describeDueAction(action: string, details: boolean): string {
  if (action === 'skip') return 'nothing now';
  return details ? `${describeAction(action)} [${action}]` : describeAction(action);
}

function describePullRequestState(state: IssueExplanation['state']): string | undefined {
  if (state.hasPr === null) return 'not known';
  if (!state.hasPr) return undefined;
  const parts = [
    ['review', state.prReviewState],
    ['CI', state.ciStatus],
    ['merge', state.mergeableStatus],
  ];
  return parts.map(([name, value]) => `${name} ${value ?? 'unknown'}`).join(', ');
}

function createQuestionFormatter(issue: string, now: number) {
  return ({ question, mode, text, askedAt }: IssueExplanation['openQuestions'][number]) =>
    `#${question} by ${mode}, ${formatTimeAgo(askedAt, now)}: ${text}\nlegion answer ${issue} --question ${question} TEXT`;
}

/** Omits the health of a worker that has ended. */
function describeGivenApproval(approved: NonNullable<IssueExplanation['approved']>): string {
  const { of, by, through, at, sha, counts, why } = approved;
  const commit = sha === undefined ? '' : ` at ${sha.slice(0, 10)}`;
  const given = `${of}${commit} by ${by} (${through}), ${formatLocalMoment(at)}`;
  return why === undefined ? given : `${given}; ${counts}: ${why}`;
}

function renderWorker(worker: WorkerStatusView, now: number, details: boolean): string {
  const { health, checkpoint, report, spending } = worker;
  const isOver = hasEnded(worker.status);
  const hasExited = worker.hasExited === true;
  const isGone = (isOver && worker.stopping === undefined) || hasExited;
  const process = worker.pid === undefined || isGone ? '' : `, pid ${worker.pid}`;
  const crashes = worker.crashes > 0 ? `, ${formatCount(worker.crashes, 'crash', 'crashes')}` : '';
  const agentText =
    worker.agent === undefined ? '' : `${[worker.agent, worker.model].filter(Boolean).join(' ')}, `;
  const attempt = `${agentText}attempt ${worker.attempt}, ${describeLifecycle(worker, now)}${process}, began ${formatTimeAgo(worker.startedAt, now)}${crashes}`;
  const verdict = [
    `health ${health.verdict} (${health.state}): ${health.why}`,
    ...(details
      ? [
          `next ${health.next}; what would change this: ${health.wouldChange}`,
          `evidence ${health.evidence.join('; ')}`,
        ]
      : []),
    ...(spending.next === 'nothing'
      ? []
      : [`budget ${spending.next}: ${spending.why} ${spending.wouldChange}`]),
  ];
  return renderBullets([
    [
      `${worker.mode}: ${attempt}`,
      `used ${formatSpending(worker.spending)}`,
      ...(isOver ? [] : verdict),
      ...(checkpoint === undefined || isOver
        ? []
        : [`checkpoint ${checkpoint.stage}: ${checkpoint.lastAction}`]),
      ...(report === undefined ? [] : [formatReport(report)]),
    ].join('\n  '),
  ]);
}

function describeLifecycle({ status, stopping, hasExited }: WorkerStatusView, now: number): string {
  if (stopping !== undefined) return describePendingStop(stopping, now, stopping.why);
  return hasExited === true ? 'exited' : status;
}

/** Omits values that the agent does not report. */
function formatSpending({ wallMs, turns, tokens, usd }: IssueExplanation['spent']): string {
  return [
    formatDuration(wallMs),
    ...(turns === 0 ? [] : [formatCount(turns, 'turn')]),
    ...(tokens === 0 ? [] : [formatTokens(tokens)]),
    ...(usd === 0 ? [] : [formatDollars(usd)]),
  ].join(', ');
}

function formatReport({ outcome, summary, sentBack }: NonNullable<WorkerStatusView['report']>): string {
  return sentBack === undefined ? `reported ${outcome}: ${summary}` : `sent the work back: ${sentBack}`;
}

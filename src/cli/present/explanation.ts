/** An explanation as a page: what is and why, what ends it, the last output where something failed, then the workers and what happened. */
import { actionInWords } from '../../domain/action-in-words.ts';
import { counted, dollars, span, tokensText } from '../../domain/format.ts';
import { hasEnded } from '../../domain/lifecycle.ts';
import { describeStopping } from '../../domain/stopping.ts';
import type { Explanation, GatesView, WorkerStatusView } from '../../protocol/operator.ts';
import { checklist } from './gates.ts';
import { bullets, fields, heading, section } from './page.ts';
import { ago, moment } from './time.ts';
import { statusWord } from './words.ts';

interface PageOptions {
  readonly now: number;
  /** Also what was decided and judged on which facts. */
  readonly details: boolean;
}

export function explanationPage(
  explanation: Explanation,
  gates: GatesView | undefined,
  { now, details }: PageOptions,
): string {
  const { state, since, rounds, workers, spent, openIntents, openQuestions, lastOutput, history } =
    explanation;
  const { waitingMessages } = explanation;
  const counted = Object.entries(rounds).filter(([, count]) => count > 0);
  return [
    heading(`${state.id}  ${state.title}`),
    fields([
      ['status', statusWord(state.status)],
      ['why', details ? `${state.says} [${state.reason}]` : state.says],
      ['next', nextText(state)],
      ['read it', state.until.read],
      ['until', state.until.next === undefined ? undefined : state.until.what],
      [
        'due',
        state.suggestedAction === 'skip' && !details ? undefined : dueText(state.suggestedAction, details),
      ],
      ['since', since === null ? undefined : `${moment(since)}, for ${span(now - since)}`],
      ['evidence', details ? state.evidence.join('\n') : undefined],
      ['problems', state.problems?.join('\n')],
      ['labels', state.labels.join(' ')],
      ['waits for', state.isBlocked ? state.blockedByIds.join(' ') : undefined],
      ['pull request', pullRequestText(state)],
      ['used', workers.length === 0 ? undefined : spendingText(spent)],
      ['rounds', counted.map(([reason, count]) => `${inWords(reason)} ${count}`).join(', ')],
    ]),
    lastOutput === undefined
      ? ''
      : section(
          `Last output of the ${lastOutput.mode} worker (attempt ${lastOutput.attempt})`,
          bullets(lastOutput.text.split('\n')),
        ),
    section('Questions', bullets(openQuestions.map(questionText(state.id, now)))),
    section('Messages not delivered yet', bullets(waitingMessages.map(messageText(now)))),
    section('Workers', workers.map((worker) => workerText(worker, now, details)).join('')),
    section('Merge', gates === undefined ? '' : checklist(gates.preMerge)),
    section(
      'Under way',
      bullets(
        openIntents.map(
          ({ intent, kind, since }) =>
            `${inWords(kind)}${details ? ` (intent ${intent})` : ''}, began ${ago(since, now)}`,
        ),
      ),
    ),
    section('History', bullets(history.map((event) => eventText(event, details)))),
    details ? '' : `\nlegion explain ${state.id} --details shows the evidence.\n`,
  ].join('');
}

/** The opening line says whose message it is. */
function messageText(now: number): (message: Explanation['waitingMessages'][number]) => string {
  return ({ message, mode, text, queuedAt }) =>
    `message ${message} to the ${mode} worker, sent ${ago(queuedAt, now)}: ${text.replace(/\s+/g, ' ')}`;
}

/** `ci_failure` is for programs. */
function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Who has to act, and how. */
function nextText({ until }: Explanation['state']): string {
  switch (until.by) {
    case 'person':
      return until.next === undefined ? `You: ${until.what}` : `You: ${until.next}`;
    case 'nothing_more':
      return until.what;
    default:
      return `Legion continues by itself when ${until.what}`;
  }
}

function eventText({ at, what, evidence = [] }: Explanation['history'][number], details: boolean): string {
  const facts = details && evidence.length > 0 ? ` (${evidence.join(', ')})` : '';
  return `${moment(at)}  ${what}${facts}`;
}

function dueText(action: string, details: boolean): string {
  if (action === 'skip') return 'nothing now';
  return details ? `${actionInWords(action)} [${action}]` : actionInWords(action);
}

function pullRequestText(state: Explanation['state']): string | undefined {
  if (state.hasPr === null) return 'not known';
  if (!state.hasPr) return undefined;
  const parts = [
    ['review', state.prReviewState],
    ['CI', state.ciStatus],
    ['merge', state.mergeableStatus],
  ];
  return parts.map(([name, value]) => `${name} ${value ?? 'unknown'}`).join(', ');
}

function questionText(issue: string, now: number) {
  return ({ question, mode, text, askedAt }: Explanation['openQuestions'][number]) =>
    `#${question} by ${mode}, ${ago(askedAt, now)}: ${text}\nlegion answer ${issue} --question ${question} TEXT`;
}

/** Of one that has ended, its health says nothing more. */
function workerText(worker: WorkerStatusView, now: number, details: boolean): string {
  const { health, checkpoint, report, spending } = worker;
  const isOver = hasEnded(worker.status);
  const hasExited = worker.hasExited === true;
  const isGone = (isOver && worker.stopping === undefined) || hasExited;
  const process = worker.pid === undefined || isGone ? '' : `, pid ${worker.pid}`;
  const crashes = worker.crashes > 0 ? `, ${counted(worker.crashes, 'crash', 'crashes')}` : '';
  const who = worker.agent === undefined ? '' : `${[worker.agent, worker.model].filter(Boolean).join(' ')}, `;
  const life = `${who}attempt ${worker.attempt}, ${lifeText(worker, now)}${process}, began ${ago(worker.startedAt, now)}${crashes}`;
  const verdict = [
    `health ${health.verdict} (${health.state}): ${health.why}`,
    ...(details
      ? [`next ${health.next}; would change: ${health.wouldChange}`, `evidence ${health.evidence.join('; ')}`]
      : []),
    ...(spending.next === 'nothing'
      ? []
      : [`budget ${spending.next}: ${spending.why} ${spending.wouldChange}`]),
  ];
  return bullets([
    [
      `${worker.mode}: ${life}`,
      `used ${spendingText(worker.spending)}`,
      ...(isOver ? [] : verdict),
      ...(checkpoint === undefined || isOver
        ? []
        : [`checkpoint ${checkpoint.stage}: ${checkpoint.lastAction}`]),
      ...(report === undefined ? [] : [reportLine(report)]),
    ].join('\n  '),
  ]);
}

function lifeText({ status, stopping, hasExited }: WorkerStatusView, now: number): string {
  if (stopping !== undefined) return describeStopping(stopping, now, stopping.why);
  return hasExited === true ? 'exited' : status;
}

/** What an agent does not tell is left out. */
function spendingText({ wallMs, turns, tokens, usd }: Explanation['spent']): string {
  return [
    span(wallMs),
    ...(turns === 0 ? [] : [counted(turns, 'turn')]),
    ...(tokens === 0 ? [] : [tokensText(tokens)]),
    ...(usd === 0 ? [] : [dollars(usd)]),
  ].join(', ');
}

function reportLine({ outcome, summary, sentBack }: NonNullable<WorkerStatusView['report']>): string {
  return sentBack === undefined ? `reported ${outcome}: ${summary}` : `sent the work back: ${sentBack}`;
}

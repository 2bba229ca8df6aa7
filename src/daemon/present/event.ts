/** Events in words for people: one sentence each; the facts it rests on are shown beside it. */

import type { Event, EventOf } from '../../core/model/event.ts';
import { actionInWords } from '../../domain/action-in-words.ts';
import { counted, dollars } from '../../domain/format.ts';
import { commandInWords } from './command.ts';
import { labelsInWords } from './labels.ts';
import { reasonInWords } from './reason.ts';

/** Characters of a text that came from outside; the whole of it is in the journal. */
const QUOTED_MOST = 200;

export function eventInWords(event: Event): string {
  switch (event.type) {
    case 'leader.elected':
      return `${event.leader} took the legion over`;
    case 'decision.made':
      return `decided to ${actionInWords(event.action)}: ${reasonInWords(event.reason)}`;
    case 'intent.opened':
      return `began to ${commandInWords(event.command)}`;
    case 'intent.settled':
      return `${OUTCOMES[event.outcome]}: ${quoted(event.detail)}`;
    case 'question.asked':
      return `${event.mode} asked: ${quoted(event.text)}`;
    case 'question.answered':
      return `${event.by} answered question ${event.question}: ${quoted(event.text)}`;
    case 'handoff.written':
      return `a handoff of the ${event.phase} phase was left`;
    case 'evidence.recorded':
      return `${event.kind} ${event.verdict} at ${event.sha.slice(0, 12)}, says ${event.by}`;
    case 'labels.owed':
      return `will change labels on the board: ${labelsInWords(event.add, event.remove)}`;
    case 'labels.written':
      return 'the labels are on the board';
    case 'round.counted':
      return `round ${event.count} for ${event.reason}`;
    case 'rounds.reset':
      return `rounds count anew, by ${event.by}`;
    case 'merge.begun':
      return `${event.by} began to merge pull request ${event.pullRequest}${event.forced ? ' with --force' : ''}`;
    case 'merge.failed':
      return `the merge failed: ${quoted(event.why)}`;
    case 'merge.landed':
      return `pull request ${event.pullRequest} was merged as ${event.mergedSha.slice(0, 12)}${event.by === undefined ? '' : ` by ${event.by}`}`;
    case 'revert.landed':
      return `${event.by} merged the revert, pull request ${event.revert}, as ${event.mergedSha.slice(0, 12)}${event.forced ? ' with --force' : ''}`;
    case 'merge.undone':
      return `${event.by} opened pull request ${event.revert}, which reverts the merge`;
    case 'split.made':
      return `split into ${event.children.join(', ')}`;
    case 'breaker.opened':
      return `no worker is started: ${event.why}`;
    case 'breaker.closed':
      return `workers are started again, by ${event.by}`;
    case 'clock.jumped':
      return `the machine slept, or its clock was set, by ${Math.round(event.byMs / 1_000)} s`;
    case 'message.queued':
      return `message ${event.message} to ${event.to} was queued: ${quoted(event.body)}`;
    case 'message.delivered':
      return `message ${event.message} was delivered`;
    case 'message.set_aside':
      return `message ${event.message} was put aside: ${event.why}`;
    case 'issue.sighted':
      return `is in ${event.column} on the board: ${quoted(event.title)}`;
    case 'issue.left':
      return 'is no longer on the board';
    case 'issue.pruned':
      return 'what was kept of the issue was pruned';
    case 'event.retired':
      return `an event of an earlier version: ${event.was}`;
    default:
      return `${event.mode}${'attempt' in event ? ` (attempt ${event.attempt})` : ''} ${attemptInWords(event)}`;
  }
}

type AttemptEvent = Extract<
  Event,
  { type: `attempt.${string}` | 'checkpoint.saved' | 'crashes.reset' | `kill.${string}` }
>;

/** A clause after the worker's name. */
function attemptInWords(event: AttemptEvent): string {
  switch (event.type) {
    case 'attempt.dispatched':
      return `was dispatched on ${event.host}`;
    case 'attempt.spawned':
      return `runs as process ${event.pid}`;
    case 'attempt.active':
      return 'began to work';
    case 'attempt.session_paired':
      return `has the session ${event.native}`;
    case 'attempt.waiting':
      return event.for === 'user' ? 'waits for a person' : 'waits for the provider’s quota';
    case 'attempt.reported':
      return `reported ${event.outcome}: ${quoted(event.summary)}`;
    case 'attempt.report_accepted':
      return 'had its report accepted';
    case 'attempt.report_refused':
      return `had its report refused: ${quoted(event.missing)}`;
    case 'attempt.exited':
      return `ended with ${event.signal ?? `exit code ${event.code ?? 'unknown'}`}`;
    case 'attempt.crashed':
      return 'crashed';
    case 'attempt.paused':
      return 'was paused';
    case 'attempt.stopped':
      return `was stopped: ${event.why}`;
    case 'attempt.zombie':
      return `left process ${event.pid} behind`;
    case 'checkpoint.saved':
      return `saved a checkpoint at ${quoted(event.stage)}`;
    case 'crashes.reset':
      return `had its crashes forgotten by ${event.by}`;
    case 'attempt.spent':
      return `has used ${spentInWords(event)} so far`;
    case 'attempt.warned':
      return `was warned: ${event.why}`;
    case 'attempt.asked_to_stop':
      return `was asked to come to an end: ${event.why}`;
    case 'kill.performed':
      return 'was killed';
    case 'kill.judged':
      return `was killed ${event.right ? 'rightly' : 'wrongly'}: ${event.why}`;
  }
}

const OUTCOMES = { done: 'done', failed: 'failed', superseded: 'no longer needed' } as const;

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > QUOTED_MOST ? `${line.slice(0, QUOTED_MOST)}…` : line;
}

/** What an agent does not count is left out. */
function spentInWords({ turns, tokens, usd }: EventOf<'attempt.spent'>): string {
  return [
    counted(turns, 'turn'),
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
    ...(usd === 0 ? [] : [dollars(usd)]),
  ].join(', ');
}

/** Describes each event to people in one sentence, and lists the facts that are shown next to it. */
import { describeAction } from '../../core/model/action.ts';
import type { Command } from '../../core/model/command.ts';
import type { Event, EventOf } from '../../core/model/event.ts';
import { formatCount, formatDollars } from '../../core/model/format.ts';
import { describeReason } from './reason.ts';

/** Maximum length of quoted untrusted text, in characters. The journal contains the full text. */
const MAX_QUOTED_CHARS = 200;

export function describeEvent(event: Event): string {
  switch (event.type) {
    case 'leader.elected':
      return `${event.leader} became the leader`;
    case 'decision.made':
      return `decided to ${describeAction(event.action)}: ${describeReason(event.reason)}`;
    case 'intent.opened':
      return `began to ${describeCommand(event.command)}`;
    case 'intent.settled':
      return `${OUTCOMES[event.outcome]}: ${trimQuotedText(event.detail)}`;
    case 'question.asked':
      return `${event.mode} asked: ${trimQuotedText(event.text)}`;
    case 'question.answered':
      return `${event.by} answered question ${event.question}: ${trimQuotedText(event.text)}`;
    case 'handoff.written':
      return `the handoff of the ${event.phase} phase was saved`;
    case 'evidence.recorded':
      return `${event.kind} evidence: ${event.verdict} at ${event.sha.slice(0, 12)}, according to ${event.by}`;
    case 'labels.owed':
      return `will change labels on the board: ${describeLabelChange(event.add, event.remove)}`;
    case 'labels.written':
      return 'the labels were written to the board';
    case 'round.counted':
      return `counted round ${event.count} for ${event.reason}`;
    case 'rounds.reset':
      return `${event.by} reset the rounds`;
    case 'merge.begun':
      return `${event.by} began to merge pull request ${event.pullRequest}${event.forced ? ' with --force' : ''}`;
    case 'merge.failed':
      return `the merge failed: ${trimQuotedText(event.why)}`;
    case 'merge.landed':
      return `pull request ${event.pullRequest} was merged as ${event.mergedSha.slice(0, 12)}${event.by === undefined ? '' : ` by ${event.by}`}`;
    case 'revert.landed':
      return `${event.by} merged the revert, pull request ${event.revert}, as ${event.mergedSha.slice(0, 12)}${event.forced ? ' with --force' : ''}`;
    case 'merge.undone':
      return `${event.by} opened pull request ${event.revert}, which reverts the merge`;
    case 'approval.given':
      return `${event.by} approved the ${event.of}${event.sha === undefined ? '' : ` at ${event.sha.slice(0, 12)}`} (${event.through})`;
    case 'work.rejected':
      return `${event.by} rejected the ${event.of}: ${trimQuotedText(event.why)}`;
    case 'split.made':
      return `was split into ${event.children.join(', ')}`;
    case 'breaker.opened':
      return `worker starts were blocked: ${event.why}`;
    case 'breaker.closed':
      return `${event.by} resumed worker starts`;
    case 'clock.jumped':
      return `the clock jumped by ${Math.round(event.byMs / 1_000)} s: the machine slept, or its clock was set`;
    case 'message.queued':
      return `message ${event.message} to ${event.to} was queued: ${trimQuotedText(event.body)}`;
    case 'message.delivered':
      return `message ${event.message} was delivered`;
    case 'message.set_aside':
      return `message ${event.message} was set aside: ${event.why}`;
    case 'issue.sighted':
      return `is in ${event.column} on the board: ${trimQuotedText(event.title)}`;
    case 'issue.left':
      return 'is no longer on the board';
    case 'issue.pruned':
      return 'the records of the issue were pruned';
    case 'event.retired':
      return `event of an earlier version: ${event.was}`;
    default:
      return `${event.mode}${'attempt' in event ? ` (attempt ${event.attempt})` : ''} ${describeAttemptEvent(event)}`;
  }
}

type AttemptEvent = Extract<
  Event,
  { type: `attempt.${string}` | 'checkpoint.saved' | 'crashes.reset' | `kill.${string}` }
>;

/** Describes an event of an attempt as a clause that follows the worker's name. */
function describeAttemptEvent(event: AttemptEvent): string {
  switch (event.type) {
    case 'attempt.dispatched':
      return `was dispatched on ${event.host}`;
    case 'attempt.spawned':
      return `started as process ${event.pid}`;
    case 'attempt.active':
      return 'started working';
    case 'attempt.session_paired':
      return `uses session ${event.native}`;
    case 'attempt.waiting':
      return event.for === 'user' ? 'is waiting for a person' : 'is waiting for the provider’s quota';
    case 'attempt.reported':
      return `reported ${event.outcome}: ${trimQuotedText(event.summary)}`;
    case 'attempt.report_accepted':
      return 'had its report accepted';
    case 'attempt.report_refused':
      return `had its report refused: ${trimQuotedText(event.missing)}`;
    case 'attempt.exited':
      return `ended with ${event.signal ?? `exit code ${event.code ?? 'unknown'}`}`;
    case 'attempt.crashed':
      return 'crashed';
    case 'attempt.paused':
      return 'was paused';
    case 'attempt.stopped':
      return `was stopped: ${event.why}`;
    case 'attempt.stop_extended':
      return `asked for more time before it stops: ${trimQuotedText(event.why)}`;
    case 'attempt.zombie':
      return `left process ${event.pid} behind`;
    case 'checkpoint.saved':
      return `saved a checkpoint at ${trimQuotedText(event.stage)}`;
    case 'crashes.reset':
      return `had its crash count reset by ${event.by}`;
    case 'attempt.spent':
      return `has used ${describeSpending(event)} so far`;
    case 'attempt.warned':
      return `was warned: ${event.why}`;
    case 'attempt.asked_to_stop':
      return `was asked to stop: ${event.why}`;
    case 'kill.performed':
      return 'was killed';
    case 'kill.judged':
      return `was killed ${event.right ? 'correctly' : 'by mistake'}: ${event.why}`;
  }
}

const OUTCOMES = { done: 'done', failed: 'failed', superseded: 'no longer needed' } as const;

function trimQuotedText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS)}…` : line;
}

/** Describes what an attempt has spent. Omits amounts that the agent does not report. */
function describeSpending({ turns, tokens, usd }: EventOf<'attempt.spent'>): string {
  return [
    formatCount(turns, 'turn'),
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
    ...(usd === 0 ? [] : [formatDollars(usd)]),
  ].join(', ');
}

/** Describes commands for people. */
export function describeCommand(command: Command): string {
  switch (command.kind) {
    case 'write_issue': {
      const { moveTo, add, remove } = command;
      const labels = describeLabelChange(add, remove);
      return [
        ...(moveTo === undefined ? [] : [`move it to ${moveTo}`]),
        ...(labels === '' ? [] : [labels]),
      ].join('; ');
    }
    case 'spawn':
      return `start ${command.mode}, attempt ${command.attempt} (${command.purpose})`;
    case 'comment':
    case 'put_comment':
      return 'comment on the issue';
    case 'escalate':
      return 'escalate to a person';
    case 'reread_forge':
      return 'read the forge again';
    case 'run_quality_gate':
      return `run the quality gate at ${command.sha.slice(0, 12)}`;
    case 'add_closing_keyword':
      return `add ${JSON.stringify(command.line)} to the pull request`;
    case 'stop':
      return `stop ${command.mode}, attempt ${command.attempt}`;
    case 'clean_workspace':
      return 'remove the workspace';
  }
}

/** Describes label changes for people. Empty if nothing changes. */
function describeLabelChange(add: readonly string[], remove: readonly string[]): string {
  return [
    ...(add.length === 0 ? [] : [`add ${add.join(', ')}`]),
    ...(remove.length === 0 ? [] : [`remove ${remove.join(', ')}`]),
  ].join('; ');
}

/** Lists the facts that an event contains as its evidence. */
export function listEventEvidence(event: Event): readonly string[] {
  switch (event.type) {
    case 'decision.made':
    case 'attempt.crashed':
    case 'attempt.paused':
    case 'kill.performed':
      return event.evidence;
    case 'evidence.recorded': {
      const { sha, suites, detail } = event;
      return [
        `commit=${sha}`,
        ...suites.map((suite) => `suite=${suite}`),
        ...(detail === '' ? [] : [detail]),
      ];
    }
    case 'merge.begun':
      return [
        `head=${event.headSha}`,
        ...event.preMerge.map(({ name, verdict, evidence }) => `${name}=${verdict} (${evidence})`),
      ];
    case 'revert.landed':
      return [`merged=${event.mergedSha}`, `forced=${event.forced ? 'yes' : 'no'}`];
    case 'merge.landed':
      return [`head=${event.headSha}`, `merged=${event.mergedSha}`, `auto=${event.auto ? 'yes' : 'no'}`];
    case 'intent.opened':
      return event.command.kind === 'stop' ? event.command.evidence : [];
    case 'checkpoint.saved':
      return [
        ...event.completed.map((part) => `completed=${part}`),
        ...event.remaining.map((part) => `remaining=${part}`),
      ];
    default:
      return [];
  }
}

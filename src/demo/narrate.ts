/** Narrates an event in one short sentence, if it is worth showing. */
import type { Command, SpawnPurpose } from '../core/model/command.ts';
import {
  type DemoAttempt,
  type DemoHistory,
  formatAttemptName,
  type IssueHistory,
  type TimedEvent,
} from './history.ts';

export type NarrationMood = 'plain' | 'good' | 'bad' | 'person';

export interface Narration {
  readonly issue: string;
  readonly text: string;
  readonly mood: NarrationMood;
}

/** `history` must already contain the event. */
export function narrateEvent(event: TimedEvent, history: DemoHistory): Narration | undefined {
  switch (event.type) {
    case 'intent.settled':
      return narrateSettledIntent(history.findCommand(event.intent), event.outcome, event.detail);
    case 'attempt.spawned':
      return createNarration(
        event.issue,
        `${describeAttempt(event, history)} is running${describeRestart(event, history)}`,
      );
    case 'attempt.report_accepted':
      return createNarration(event.issue, `${describeAttempt(event, history)} is done`);
    case 'attempt.report_refused':
      return createNarration(
        event.issue,
        `${describeAttempt(event, history)}: not done yet: ${event.missing}`,
        'bad',
      );
    case 'attempt.reported':
      return narrateReport(event, history);
    case 'attempt.exited':
      return event.signal === null
        ? undefined
        : createNarration(
            event.issue,
            `${describeAttempt(event, history)} was killed by ${event.signal}`,
            'bad',
          );
    case 'attempt.crashed':
      return createNarration(
        event.issue,
        `${describeAttempt(event, history)} crashed and is being respawned`,
        'bad',
      );
    case 'attempt.paused':
      return createNarration(
        event.issue,
        `${describeAttempt(event, history)} is paused: it crashed too often`,
        'bad',
      );
    case 'checkpoint.saved':
      return createNarration(
        event.issue,
        `${describeAttempt(event, history)} saves a checkpoint: ${event.stage}`,
      );
    case 'question.asked':
      return createNarration(event.issue, `${describeAttempt(event, history)} asks: ${event.text}`, 'person');
    case 'evidence.recorded':
      return narrateEvidence(event);
    case 'merge.landed':
      return createNarration(
        event.issue,
        `merged as ${event.mergedSha.slice(0, 7)}, ${describeApprover(event.auto)}`,
        'good',
      );
    default:
      return undefined;
  }
}

function createNarration(issue: string, text: string, mood: NarrationMood = 'plain'): Narration {
  return { issue, text, mood };
}

function narrateSettledIntent(
  command: Command | undefined,
  outcome: string,
  detail: string,
): Narration | undefined {
  if (command === undefined) return undefined;
  if (outcome === 'failed') return createNarration(command.issue, `${command.kind} failed: ${detail}`, 'bad');
  if (outcome !== 'done' || command.kind !== 'write_issue') return undefined;
  if (command.add.includes('needs-approval'))
    return createNarration(command.issue, 'is waiting for your approval', 'person');
  if (command.moveTo === undefined) return undefined;
  return createNarration(command.issue, `→ ${command.moveTo}`);
}

function narrateEvidence({
  issue,
  kind,
  verdict,
  suites,
}: Extract<TimedEvent, { type: 'evidence.recorded' }>) {
  if (kind === 'retro') return undefined;
  const subject = kind === 'test' ? `${suites.join(', ') || 'the'} tests` : 'the quality gate';
  const outcome = { passed: 'passed', failed: 'failed', could_not_run: 'could not run' }[verdict];
  return createNarration(issue, `${subject} ${outcome}`, verdict === 'passed' ? 'plain' : 'bad');
}

function describeApprover(auto: boolean): string {
  return auto ? 'accepted by the auto-merge gate' : 'approved by you';
}

interface NarratedAttemptKey {
  readonly issue: string;
  readonly mode: string;
  readonly attempt: number;
}

function describeAttempt(key: NarratedAttemptKey, history: DemoHistory): string {
  const issueHistory = history.getIssue(key.issue);
  const attempt = findAttempt(key, issueHistory);
  return attempt === undefined ? key.mode : formatAttemptName(attempt, issueHistory);
}

function findAttempt(
  { mode, attempt }: NarratedAttemptKey,
  { attempts }: IssueHistory,
): DemoAttempt | undefined {
  return attempts.find((each) => each.mode === mode && each.attempt === attempt);
}

function narrateReport(
  event: Extract<TimedEvent, { type: 'attempt.reported' }>,
  history: DemoHistory,
): Narration | undefined {
  const { issue, outcome, summary, sentBack } = event;
  if (outcome === 'error')
    return createNarration(issue, `${describeAttempt(event, history)} failed: ${summary}`, 'bad');
  if (sentBack === undefined) return undefined;
  return createNarration(issue, `${describeAttempt(event, history)} sends it back: ${sentBack}`, 'bad');
}

const RESTART_REASONS: Readonly<Partial<Record<SpawnPurpose, string>>> = {
  ci_failure: 'CI is red',
  test_failure: 'the tests failed',
  review_changes: 'the reviewer asked for changes',
  conflict: 'it conflicts with main',
  sent_back: 'it was sent back',
  quality_gate: 'the quality gate is red',
  feedback: 'its question was answered',
  crash: 'it continues after its crash',
  missing_pr: 'its pull request is missing',
  missing_review: 'its review is missing',
};

function describeRestart(key: NarratedAttemptKey, history: DemoHistory): string {
  const purpose = findAttempt(key, history.getIssue(key.issue))?.purpose;
  const reason = purpose === undefined ? undefined : RESTART_REASONS[purpose];
  return reason === undefined ? '' : ` again: ${reason}`;
}

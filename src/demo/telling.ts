/** An event in one short sentence for an audience, where it is worth one. */
import type { Command, Purpose } from '../core/model/command.ts';
import { type Chronicle, type Happened, type IssueCourse, type Life, nameOfLife } from './history.ts';

export type Mood = 'plain' | 'good' | 'bad' | 'person';

export interface Told {
  readonly issue: string;
  readonly text: string;
  readonly mood: Mood;
}

/** `chronicle` has taken the event in already. */
export function told(event: Happened, chronicle: Chronicle): Told | undefined {
  switch (event.type) {
    case 'intent.settled':
      return settled(chronicle.command(event.intent), event.outcome, event.detail);
    case 'attempt.spawned':
      return say(event.issue, `${life(event, chronicle)} is at work${why(event, chronicle)}`);
    case 'attempt.report_accepted':
      return say(event.issue, `${life(event, chronicle)} is done`);
    case 'attempt.report_refused':
      return say(event.issue, `${life(event, chronicle)}: not done yet: ${event.missing}`, 'bad');
    case 'attempt.reported':
      return toldReport(event, chronicle);
    case 'attempt.exited':
      return event.signal === null
        ? undefined
        : say(event.issue, `${life(event, chronicle)} was ended by ${event.signal}`, 'bad');
    case 'attempt.crashed':
      return say(event.issue, `${life(event, chronicle)} has crashed; it is respawned`, 'bad');
    case 'attempt.paused':
      return say(event.issue, `${life(event, chronicle)} is paused: it crashed too often`, 'bad');
    case 'checkpoint.saved':
      return say(event.issue, `${life(event, chronicle)} saves a checkpoint: ${event.stage}`);
    case 'question.asked':
      return say(event.issue, `${life(event, chronicle)} asks: ${event.text}`, 'person');
    case 'evidence.recorded':
      return evidence(event);
    case 'merge.landed':
      return say(event.issue, `merged as ${event.mergedSha.slice(0, 7)}, ${byWhom(event.auto)}`, 'good');
    default:
      return undefined;
  }
}

function say(issue: string, text: string, mood: Mood = 'plain'): Told {
  return { issue, text, mood };
}

function settled(command: Command | undefined, outcome: string, detail: string): Told | undefined {
  if (command === undefined) return undefined;
  if (outcome === 'failed') return say(command.issue, `${command.kind} failed: ${detail}`, 'bad');
  if (outcome !== 'done' || command.kind !== 'write_issue') return undefined;
  if (command.add.includes('needs-approval')) return say(command.issue, 'waits for your approval', 'person');
  if (command.moveTo === undefined) return undefined;
  return say(command.issue, `→ ${command.moveTo}`);
}

function evidence({ issue, kind, verdict, suites }: Extract<Happened, { type: 'evidence.recorded' }>) {
  if (kind === 'retro') return undefined;
  const what = kind === 'test' ? `${suites.join(', ') || 'the'} tests` : 'the quality gate';
  const words = { passed: 'passed', failed: 'failed', could_not_run: 'could not run' }[verdict];
  return say(issue, `${what} ${words}`, verdict === 'passed' ? 'plain' : 'bad');
}

function byWhom(auto: boolean): string {
  return auto ? 'let through by the auto-merge gate' : 'as you approved';
}

interface WhichLife {
  readonly issue: string;
  readonly mode: string;
  readonly attempt: number;
}

function life(which: WhichLife, chronicle: Chronicle): string {
  const course = chronicle.of(which.issue);
  const found = lifeOf(which, course);
  return found === undefined ? which.mode : nameOfLife(found, course);
}

function lifeOf({ mode, attempt }: WhichLife, { lives }: IssueCourse): Life | undefined {
  return lives.find((each) => each.mode === mode && each.attempt === attempt);
}

function toldReport(
  event: Extract<Happened, { type: 'attempt.reported' }>,
  chronicle: Chronicle,
): Told | undefined {
  const { issue, outcome, summary, sentBack } = event;
  if (outcome === 'error') return say(issue, `${life(event, chronicle)} has failed: ${summary}`, 'bad');
  if (sentBack === undefined) return undefined;
  return say(issue, `${life(event, chronicle)} sends it back: ${sentBack}`, 'bad');
}

const AGAIN: Readonly<Partial<Record<Purpose, string>>> = {
  ci_failure: 'CI is red',
  test_failure: 'the tests failed',
  review_changes: 'the reviewer asked for changes',
  conflict: 'it conflicts with main',
  sent_back: 'it was sent back',
  quality_gate: 'the quality gate is red',
  feedback: 'it has its answer',
  crash: 'it goes on after its crash',
  missing_pr: 'its pull request is missing',
  missing_review: 'its review is missing',
};

function why(which: WhichLife, chronicle: Chronicle): string {
  const purpose = lifeOf(which, chronicle.of(which.issue))?.purpose;
  const words = purpose === undefined ? undefined : AGAIN[purpose];
  return words === undefined ? '' : ` again: ${words}`;
}

/** A report, a done flag or an outbox report that changed nothing is a lost message, whatever became of its process. */
import { presenceOf } from './condition.ts';
import type { Finding, Look } from './judgement.ts';
import { inWords } from './words.ts';

export function lostMessage(look: Look): Finding | undefined {
  const { evidence, now, limits } = look;
  const { report, state } = evidence;
  if (state === 'reporting') {
    // Whoever took it down has not lived to judge it.
    if (evidence.stateSince < evidence.watchingSince)
      return recover(look, 'When our watch began, it had reported and the report was not acted on.');
    return isOverdue(look, evidence.stateSince)
      ? recover(
          look,
          `It reported ${inWords(now - evidence.stateSince)} ago and the report was not acted on.`,
        )
      : onItsWay(evidence.stateSince, limits.reporting);
  }
  if (typeof report !== 'object') return undefined;
  const where = WHERE[report.where];
  if (presenceOf(evidence.process) === 'no')
    return recover(look, `Its process is gone and ${where} was left behind: a lost message, not a crash.`);
  // Whoever wrote it before we began to watch cannot know that nobody was there.
  if (report.since < evidence.watchingSince)
    return recover(look, `When our watch began, ${where} was there already.`);
  return isOverdue(look, report.since)
    ? recover(
        look,
        `For ${inWords(now - report.since)} there has been ${where} and its state did not advance.`,
      )
    : onItsWay(report.since, limits.reporting);
}

const WHERE = {
  received: 'a received report',
  done_flag: 'a done flag',
  outbox: 'a report in the outbox',
} as const;

/** Recovering verifies before it believes, so an unreadable time, or one ahead, may lead to it at once. */
function isOverdue({ now, limits }: Look, since: number): boolean {
  const age = now - since;
  return !(age >= -limits.clockSkew && age < limits.reporting);
}

function recover({ now, limits }: Look, why: string): Finding {
  return {
    verdict: 'lost_message',
    next: 'recover_report',
    why,
    wouldChange: `A report that was taken in; if its state has not advanced in ${inWords(limits.reporting)}, it is tried again.`,
    until: 'event',
    lookAgainAt: now + limits.reporting,
  };
}

function onItsWay(since: number, allowed: number): Finding {
  return {
    verdict: 'healthy',
    next: 'leave_alone',
    why: 'Its report was written and is on its way.',
    wouldChange: `If its state does not advance within ${inWords(allowed)} of the report, the message is lost and will be recovered.`,
    until: 'event',
    lookAgainAt: since + allowed,
  };
}

/** Which events are bookkeeping: true, and of no interest to whoever wants to know how an issue came to where it is. */
import type { Event } from '../../../../domain/event.ts';

export function isRoutine(event: Event): boolean {
  switch (event.type) {
    // What is to be written was decided just before it, and is seen on the board just after it.
    case 'labels.owed':
    case 'labels.written':
    case 'attempt.session_paired':
    case 'attempt.spawned':
    case 'attempt.spent':
    case 'attempt.report_accepted':
    case 'message.delivered':
      return true;
    // That somebody works, or begins a moment later, is no reason to wait that anybody asks for.
    case 'decision.made':
      return event.reason === 'worker_live' || event.reason === 'stagger';
    case 'intent.opened':
      return ['write_issue', 'spawn', 'comment', 'escalate', 'reread_forge'].includes(event.command.kind);
    case 'intent.settled':
      return event.outcome === 'done';
    default:
      return false;
  }
}

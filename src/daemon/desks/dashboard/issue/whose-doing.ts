/** Whose doing an event was: the legion's, a worker's, a person's, or what the board showed. */
import type { Event } from '../../../../core/model/event.ts';
import type { StoryEntry } from '../../../../protocol/dashboard.ts';
import { isFromOperator } from '../../../from-operator.ts';

export function whoseDoing(event: Event): StoryEntry['by'] {
  switch (event.type) {
    case 'issue.sighted':
    case 'issue.left':
      return 'board';
    case 'attempt.active':
    case 'attempt.session_paired':
    case 'attempt.waiting':
    case 'attempt.reported':
    case 'attempt.exited':
    case 'attempt.spent':
    case 'question.asked':
    case 'checkpoint.saved':
    case 'handoff.written':
    case 'split.made':
      return 'worker';
    case 'merge.begun':
      return event.actor === 'operator' ? 'person' : 'worker';
    case 'merge.landed':
      return event.by === undefined ? 'worker' : 'person';
    case 'question.answered':
    case 'crashes.reset':
    case 'rounds.reset':
    case 'merge.undone':
    case 'revert.landed':
      return 'person';
    case 'decision.made':
      return event.reason === 'forced' ? 'person' : 'legion';
    case 'evidence.recorded':
      return event.kind === 'quality_gate' ? 'legion' : 'worker';
    case 'message.queued':
      return isFromOperator(event.body) ? 'person' : 'worker';
    default:
      return 'legion';
  }
}

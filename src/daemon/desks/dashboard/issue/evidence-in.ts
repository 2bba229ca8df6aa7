/** The facts an event rests on, as far as it names them. */
import type { Event } from '../../../../core/model/event.ts';

export function evidenceIn(event: Event): readonly string[] {
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

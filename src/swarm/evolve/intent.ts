/** Intents: what is about to be done is written down before it is done, and its outcome after. */
import type { EventOf } from '../../core/model/event.ts';
import { newIssueRecord, type Swarm } from '../../core/state/state.ts';

export function evolveIntent(swarm: Swarm, event: EventOf<'intent.opened' | 'intent.settled'>): boolean {
  return event.type === 'intent.opened' ? opened(swarm, event) : settled(swarm, event);
}

/** Numbers are given out in order, so a number at or below the last one is a repetition. */
function opened(swarm: Swarm, event: EventOf<'intent.opened'>): boolean {
  if (event.intent !== swarm.lastIntent + 1) return false;
  swarm.lastIntent = event.intent;
  swarm.intents.set(event.intent, { command: event.command, openedAt: event.at });
  countOpen(swarm, event.command.issue, 1);
  return true;
}

function settled(swarm: Swarm, event: EventOf<'intent.settled'>): boolean {
  const open = swarm.intents.get(event.intent);
  if (open === undefined) return false;
  swarm.intents.delete(event.intent);
  countOpen(swarm, open.command.issue, -1);
  return true;
}

function countOpen(swarm: Swarm, issue: string, change: number): void {
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  swarm.issues.set(issue, { ...record, openIntents: record.openIntents + change });
}

/** What an attempt is doing, as far as the evidence tells: the rows of the table of limits. */
import { hasEnded } from '../domain/lifecycle.ts';
import type { HealthEvidence, ProcessEvidence } from './evidence.ts';

/** `unclear`: it may be thinking or in a tool, so the longer limit holds. */
export type Condition =
  | 'not_started'
  | 'thinking'
  | 'in_tool'
  | 'idle'
  | 'unclear'
  | 'gone'
  | 'reporting'
  | 'waiting_user'
  | 'waiting_quota'
  | 'ended';

export function conditionOf(evidence: HealthEvidence): Condition {
  const { state, stateSince, process } = evidence;
  if (hasEnded(state)) return 'ended';
  if (state === 'reporting') return 'reporting';
  if (state === 'waiting-user') return 'waiting_user';
  if (state === 'waiting-quota') return 'waiting_quota';
  if (process !== 'unavailable' && process.state === 'never_seen') return 'not_started';
  // What ended before the attempt was woken is not the process it was woken for; that one is still to come.
  if (process !== 'unavailable' && process.state === 'gone' && process.since < stateSince)
    return 'not_started';
  return presenceOf(process) === 'no' ? 'gone' : activityOf(evidence);
}

/** A pid with another start time is somebody else's process, so ours is gone; one that cannot be checked may be ours. */
export function presenceOf(process: ProcessEvidence): 'yes' | 'no' | 'unavailable' {
  if (process === 'unavailable') return 'unavailable';
  if (process.state !== 'alive') return 'no';
  if (process.identity === 'unchecked') return 'unavailable';
  return process.identity === 'matches' ? 'yes' : 'no';
}

function activityOf({ agent, tool, state, stateSince }: HealthEvidence): Condition {
  // A tool outranks the end of a turn: some agents end the turn and let the tool go on in the background.
  if (typeof tool === 'object') return 'in_tool';
  if (agent === 'unavailable') return 'unclear';
  switch (agent.kind) {
    case 'none':
      return state === 'spawned' ? 'not_started' : 'unclear';
    case 'tool_started':
      return 'in_tool';
    case 'turn_ended':
      // A turn that ended before the attempt was woken says nothing about the turn it was woken for.
      return agent.at < stateSince ? 'thinking' : 'idle';
    case 'text':
    case 'tool_ended':
    case 'usage':
    case 'error':
      return tool === 'unavailable' ? 'unclear' : 'thinking';
  }
}

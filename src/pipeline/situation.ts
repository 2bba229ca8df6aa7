/** Readings of the signals that several rules share. */

import type { Signals } from '../core/model/signals.ts';
import { isLive } from '../domain/lifecycle.ts';
import { MODES, type Mode } from '../domain/mode.ts';

/**
 * `live`: a worker is spawned, executing or reporting. `waiting-…`: none is live, but one holds its place until a person
 * answers or the quota resets; dispatching beside it would do the work twice.
 */
type Engagement = 'live' | 'waiting-user' | 'waiting-quota' | 'none';

export function engagementOf({ workers }: Signals): Engagement {
  let waiting: Engagement = 'none';
  for (const mode of MODES) {
    const state = workers[mode];
    if (state === undefined) continue;
    if (isLive(state)) return 'live';
    if (state === 'waiting-user' || state === 'waiting-quota') waiting = state;
  }
  return waiting;
}

/** The mode the status calls for. */
export function modeOfStatus(signals: Signals): Mode {
  switch (signals.status) {
    case 'Todo':
      return planAwaitsArchitect(signals) ? 'architect' : 'plan';
    case 'In Progress':
      return 'implement';
    case 'Testing':
      return 'test';
    case 'Needs Review':
      return 'review';
    case 'Retro':
      return signals.evidence.retro === 'passed' ? 'merge' : 'implement';
    case 'Done':
    case 'terminal':
      return 'merge';
    case 'Triage':
    case 'Icebox':
    case 'Backlog':
    case 'unknown':
      return 'architect';
  }
}

/** With a finished plan the worker that is out is the reviewing architect, not the planner again. */
export function planAwaitsArchitect({ labels, workers }: Signals): boolean {
  return labels.has('architect-continuity') && workers.plan === 'finished';
}

/** Takes one event into the state. */

import { evolveIntent } from '../../swarm/evolve/intent.ts';
import { evolveMessage } from '../../swarm/evolve/message.ts';
import { evolveRounds } from '../../swarm/evolve/rounds.ts';
import { evolveSighting } from '../../swarm/evolve/sighting.ts';
import type { Event } from '../model/event.ts';
import { evolveAttempt } from './evolve/attempt.ts';
import { evolveDispatch } from './evolve/dispatch.ts';
import { evolveIssue } from './evolve/issue.ts';
import { evolveFleet } from './evolve/legion.ts';
import { evolveMerge } from './evolve/merge.ts';
import { evolveReport } from './evolve/report.ts';
import { evolveJump, evolveSpending } from './evolve/spending.ts';
import type { Swarm } from './state.ts';

/**
 * Takes `swarm` over and returns it; see there what may be held on to. An event that was taken in before, comes late, or
 * belongs to an attempt or a leader that is over moves nothing and is only counted. It never throws.
 */
export function evolve(swarm: Swarm, event: Event): Swarm {
  if (event.seq <= swarm.version) return swarm;
  swarm.version = event.seq;
  if (event.epoch < swarm.epoch || !take(swarm, event)) swarm.ignored += 1;
  return swarm;
}

export function fold(swarm: Swarm, events: Iterable<Event>): Swarm {
  let state = swarm;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** Whether the event moved anything. */
function take(swarm: Swarm, event: Event): boolean {
  switch (event.type) {
    case 'leader.elected':
      return elect(swarm, event.epoch, event.leader);
    case 'intent.opened':
    case 'intent.settled':
      return evolveIntent(swarm, event);
    case 'attempt.dispatched':
      return evolveDispatch(swarm, event);
    case 'attempt.spawned':
    case 'attempt.active':
    case 'attempt.session_paired':
    case 'attempt.waiting':
    case 'attempt.exited':
    case 'attempt.crashed':
    case 'attempt.paused':
    case 'attempt.stopped':
    case 'attempt.zombie':
    case 'checkpoint.saved':
    case 'crashes.reset':
      return evolveAttempt(swarm, event);
    case 'attempt.spent':
    case 'attempt.warned':
    case 'attempt.asked_to_stop':
      return evolveSpending(swarm, event);
    case 'attempt.reported':
    case 'attempt.report_accepted':
    case 'attempt.report_refused':
      return evolveReport(swarm, event);
    case 'decision.made':
    case 'question.asked':
    case 'question.answered':
    case 'handoff.written':
    case 'evidence.recorded':
    case 'labels.owed':
    case 'labels.written':
    case 'split.made':
    case 'issue.pruned':
      return evolveIssue(swarm, event);
    case 'merge.begun':
    case 'merge.failed':
    case 'merge.landed':
    case 'merge.undone':
    case 'revert.landed':
      return evolveMerge(swarm, event);
    case 'issue.sighted':
    case 'issue.left':
      return evolveSighting(swarm, event);
    case 'round.counted':
    case 'rounds.reset':
      return evolveRounds(swarm, event);
    case 'kill.performed':
    case 'kill.judged':
    case 'breaker.opened':
    case 'breaker.closed':
      return evolveFleet(swarm, event);
    case 'clock.jumped':
      return evolveJump(swarm, event);
    case 'message.queued':
    case 'message.delivered':
    case 'message.set_aside':
      return evolveMessage(swarm, event);
    case 'event.retired':
      return false;
  }
}

function elect(swarm: Swarm, epoch: number, leader: string): boolean {
  if (epoch <= swarm.epoch) return false;
  swarm.epoch = epoch;
  swarm.leader = leader;
  return true;
}

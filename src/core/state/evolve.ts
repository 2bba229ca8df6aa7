/** Applies one event to the state. */
import type { Event } from '../model/event.ts';
import { evolveAttempt } from './evolve/attempt.ts';
import { evolveDispatch, evolveIntent } from './evolve/dispatch.ts';
import { evolveIssue, evolveRounds, evolveSighting } from './evolve/issue.ts';
import { evolveFleet, evolveMessage } from './evolve/legion.ts';
import { evolveMerge } from './evolve/merge.ts';
import { evolveApproval, evolveRejection } from './evolve/rejection.ts';
import { evolveReport } from './evolve/report.ts';
import { evolveJump, evolveSpending } from './evolve/spending.ts';
import type { LegionState } from './state.ts';

/**
 * Takes ownership of `state`, changes it and returns it; the comment on `LegionState` says which
 * parts callers may keep. An event that is repeated, late, or from an old attempt or leader changes
 * nothing and is only counted. Never throws.
 */
export function evolve(state: LegionState, event: Event): LegionState {
  if (event.seq <= state.version) return state;
  state.version = event.seq;
  if (event.epoch < state.epoch || !applyEvent(state, event)) state.ignored += 1;
  return state;
}

export function foldEvents(initial: LegionState, events: Iterable<Event>): LegionState {
  let state = initial;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** Returns whether the event changed anything. */
function applyEvent(state: LegionState, event: Event): boolean {
  switch (event.type) {
    case 'leader.elected':
      return applyElection(state, event.epoch, event.leader);
    case 'intent.opened':
    case 'intent.settled':
      return evolveIntent(state, event);
    case 'attempt.dispatched':
      return evolveDispatch(state, event);
    case 'attempt.spawned':
    case 'attempt.active':
    case 'attempt.session_paired':
    case 'attempt.waiting':
    case 'attempt.exited':
    case 'attempt.crashed':
    case 'attempt.paused':
    case 'attempt.stopped':
    case 'attempt.stop_extended':
    case 'attempt.zombie':
    case 'checkpoint.saved':
    case 'crashes.reset':
      return evolveAttempt(state, event);
    case 'attempt.spent':
    case 'attempt.warned':
    case 'attempt.asked_to_stop':
      return evolveSpending(state, event);
    case 'attempt.reported':
    case 'attempt.report_accepted':
    case 'attempt.report_refused':
      return evolveReport(state, event);
    case 'decision.made':
    case 'question.asked':
    case 'question.answered':
    case 'handoff.written':
    case 'evidence.recorded':
    case 'labels.owed':
    case 'labels.written':
    case 'split.made':
    case 'issue.pruned':
      return evolveIssue(state, event);
    case 'merge.begun':
    case 'merge.failed':
    case 'merge.landed':
    case 'merge.undone':
    case 'revert.landed':
      return evolveMerge(state, event);
    case 'approval.given':
      return evolveApproval(state, event);
    case 'work.rejected':
      return evolveRejection(state, event);
    case 'issue.sighted':
    case 'issue.left':
      return evolveSighting(state, event);
    case 'round.counted':
    case 'rounds.reset':
      return evolveRounds(state, event);
    case 'kill.performed':
    case 'kill.judged':
    case 'breaker.opened':
    case 'breaker.closed':
      return evolveFleet(state, event);
    case 'clock.jumped':
      return evolveJump(state, event);
    case 'message.queued':
    case 'message.delivered':
    case 'message.set_aside':
      return evolveMessage(state, event);
    case 'event.retired':
      return false;
  }
}

function applyElection(state: LegionState, epoch: number, leader: string): boolean {
  if (epoch <= state.epoch) return false;
  state.epoch = epoch;
  state.leader = leader;
  return true;
}

/** Describes the events of an issue in plain words, one page at a time from the end. */

import type { Event } from '../../../core/model/event.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { StoryEntry, StoryPage, StoryQuery } from '../../../protocol/dashboard.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { describeEvent, listEventEvidence } from '../../present/event.ts';
import { isFromOperator } from '../../prompts/worker-messages.ts';
import { requireKnownIssue } from '../read-outside.ts';
import type { JournalHistory } from './history.ts';
import { readEventsByVersion } from './history.ts';

export async function readStory(
  context: StateContext & PortContext,
  history: JournalHistory,
  given: IssueId,
  { before = Number.POSITIVE_INFINITY, limit }: StoryQuery,
): Promise<StoryPage> {
  const issue = await requireKnownIssue(context, given);
  await history.catchUp();
  const earlier = history.index.find(issue).filter((version) => version < before);
  const events = await readEventsByVersion(context.ledger, earlier.slice(-limit));
  return { entries: events.map(toStoryEntry), more: earlier.length > limit };
}

function toStoryEntry(event: Event): StoryEntry {
  const { seq: version, at, type } = event;
  return {
    version,
    at,
    type,
    says: describeEvent(event),
    by: resolveActor(event),
    ...extractAttempt(event.type === 'intent.opened' ? event.command : event),
    evidence: [...listEventEvidence(event)],
    routine: isRoutine(event),
  };
}

/**
 * Returns the mode and attempt of an event, if it has them. A decision has a mode too, even if no
 * such worker exists.
 */
function extractAttempt(of: object): Pick<StoryEntry, 'mode' | 'attempt'> {
  const { mode, attempt } = of as Pick<StoryEntry, 'mode' | 'attempt'>;
  return { ...(mode === undefined ? {} : { mode }), ...(attempt === undefined ? {} : { attempt }) };
}

/**
 * Returns whether an event is bookkeeping, which does not help people understand how an issue
 * reached its current state.
 */
function isRoutine(event: Event): boolean {
  switch (event.type) {
    // These labels follow from the decision just before them and appear on the board right
    // afterwards, so they need no entry of their own.
    case 'labels.owed':
    case 'labels.written':
    case 'attempt.session_paired':
    case 'attempt.spawned':
    case 'attempt.spent':
    case 'attempt.report_accepted':
    case 'message.delivered':
      return true;
    // A running worker or the short gap between starts is not a wait that people ask about.
    case 'decision.made':
      return event.reason === 'worker_live' || event.reason === 'stagger';
    case 'intent.opened':
      return ['write_issue', 'spawn', 'comment', 'put_comment', 'escalate', 'reread_forge'].includes(
        event.command.kind,
      );
    case 'intent.settled':
      return event.outcome === 'done';
    default:
      return false;
  }
}

/** Determines who caused an event: the legion, a worker, a person, or the board. */
function resolveActor(event: Event): StoryEntry['by'] {
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
    case 'approval.given':
    case 'work.rejected':
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

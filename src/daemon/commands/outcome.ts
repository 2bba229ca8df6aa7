/** Outcome of one command. */
import type { EventBody } from '../../core/model/event.ts';
import type { LegionState } from '../../core/state/state.ts';

export interface IntentOutcome {
  /** `superseded` means that the situation changed, so the command had nothing left to do. */
  readonly outcome: 'done' | 'failed' | 'superseded';
  readonly detail: string;
  /**
   * Events that are written in the same append as the outcome. They are built from the state at the
   * time of that append, so that serial numbers are current.
   */
  readonly events?: (state: LegionState) => readonly EventBody[];
}

export function createDoneOutcome(detail: string, events?: IntentOutcome['events']): IntentOutcome {
  return { outcome: 'done', detail, ...(events === undefined ? {} : { events }) };
}

export function createSupersededOutcome(detail: string): IntentOutcome {
  return { outcome: 'superseded', detail };
}

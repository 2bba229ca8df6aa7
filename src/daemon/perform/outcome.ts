/** What became of one command. */
import type { EventBody } from '../../core/model/event.ts';
import type { Swarm } from '../../core/state/state.ts';

export interface Outcome {
  /** `superseded`: the world has moved on and there was nothing left to do. */
  readonly outcome: 'done' | 'failed' | 'superseded';
  readonly detail: string;
  /** What it leaves in the journal, in the same append as its outcome; serials are taken when it is written. */
  readonly events?: (swarm: Swarm) => readonly EventBody[];
}

export function done(detail: string, events?: Outcome['events']): Outcome {
  return { outcome: 'done', detail, ...(events === undefined ? {} : { events }) };
}

export function superseded(detail: string): Outcome {
  return { outcome: 'superseded', detail };
}

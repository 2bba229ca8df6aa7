/** The plan of one reconcile pass: for each issue its decisions, events and commands. */
import type { Decision } from '../model/action.ts';
import type { Command } from '../model/command.ts';
import type { EventBody } from '../model/event.ts';

export interface IssuePlan {
  readonly issue: string;
  /** Decisions in order, latest last, as shown by `explain`. */
  readonly decisions: readonly Decision[];
  /** To be appended before any command runs. */
  readonly events: readonly EventBody[];
  readonly commands: readonly { readonly intent: number; readonly command: Command }[];
}

export interface PassPlan {
  readonly issues: readonly IssuePlan[];
  /** Time by which the next pass must run, because a start was refused as too early. */
  readonly wakeAt: number | undefined;
}

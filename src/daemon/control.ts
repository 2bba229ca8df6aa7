/** What the desks ask of the loop: the only way from an operator's word to a worker's process. */
import type { Purpose } from '../core/model/command.ts';
import type { EventBody } from '../core/model/event.ts';
import type { IssueId, WorkerId } from '../core/model/ids.ts';
import type { HaltOrder } from '../core/state/halt.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Mode } from '../domain/mode.ts';
import type { Judgement } from '../health/judgement.ts';
import type { IssueStep } from '../swarm/step.ts';
import type { Removal } from '../workspaces/workspace.ts';
import type { Halted } from './halt.ts';
import type { Undecided } from './supervise/supervisor.ts';
import type { Did } from './supervisor/trace.ts';

export interface Control {
  /** Looks at one issue now and carries out what is due, also where auto_advance is off. */
  advance(issue: IssueId): Promise<IssueStep>;
  /** Looks at one issue now, as the loop does when it is woken. */
  lookAt(issue: IssueId): Promise<void>;
  /** What would be done now; changes nothing. */
  preview(issue: IssueId): Promise<IssueStep>;
  /** Opens the intent, claims the attempt and starts the worker; rejects if it could not be started. */
  start(order: StartOrder): Promise<void>;
  /** Begins the stop ladder; `alongside` is written in the same append as the end of the attempt. */
  stop(worker: WorkerId, why: string, alongside?: (swarm: Swarm) => readonly EventBody[]): Promise<void>;
  /** Holds the whole legion and stops every worker. */
  halt(order: HaltOrder): Promise<Halted>;
  /** Removes the workspace if nothing would be lost. */
  cleanWorkspace(issue: IssueId): Promise<Removal>;
  healthOf(worker: WorkerId): Promise<Judgement>;
  /** Workers about whom only a person can decide. */
  undecided(): readonly Undecided[];
  /** What workers did last, as far as their agents have told; read from memory. */
  doings(): ReadonlyMap<WorkerId, Did>;
}

export interface StartOrder {
  readonly issue: IssueId;
  readonly mode: Mode;
  readonly purpose: Purpose;
  readonly version: number;
  /** What an operator has to say to it beyond its prompt. */
  readonly note?: string;
  readonly env?: Record<string, string>;
}

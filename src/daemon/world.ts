/** Everything the loop, the commands and the desks work with; the composition root puts it together once. */

import type { IssueId, WorkerId } from '../core/model/ids.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import type { Clock } from '../domain/clock.ts';
import type { Mode } from '../domain/mode.ts';
import type { Day } from '../health/day-budget.ts';
import type { Host } from '../hosts/host.ts';
import type { Agent, ModelUse } from '../ports/agent.ts';
import type { LocalBoard } from '../ports/board-editor.ts';
import type { Tracker } from '../ports/tracker.ts';
import type { AgentChoice, AgentsAtHand } from '../swarm/choose-agent.ts';
import type { Workspaces } from '../workspaces/workspace.ts';
import type { BoardView } from './board-view.ts';
import type { MergesUnderWay } from './context/active-merges.ts';
import type { Ledger } from './context/journal-ledger.ts';
import type { WorkerTokens } from './context/worker-tokens.ts';
import type { QualityGates } from './merging/quality-gates.ts';
import type { LeftReport } from './outbox/report-left.ts';
import type { Preflight } from './preflight/preflight.ts';
import type { Repositories } from './repository.ts';
import type { Settings } from './settings.ts';
import type { Troubles } from './troubles.ts';

export interface World {
  readonly legionId: string;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly tracker: Tracker;
  /** The same tracker where it lives with Legion and people edit it here. */
  readonly board: LocalBoard | undefined;
  /** Where the code of an issue lives. */
  readonly repositories: Repositories;
  /** What would stop every issue holds every start. */
  readonly preflight: Preflight;
  readonly workspaces: Workspaces;
  readonly host: Host;
  readonly gates: QualityGates;
  /** Who may work in a mode, and whether it can. */
  readonly agents: AgentsAtHand;
  /** Nobody starts with this agent until its login is accepted again. */
  readonly noteRefusedLogin: (choice: AgentChoice, says: string) => void;
  /** Who does work, or did; by what is configured where a record of an older version does not say. */
  readonly agentOf: (worker: WhoWorks) => { readonly agent: Agent; readonly use: ModelUse };
  /** Where `legion` is found, the identity it commits under, what its agent logs in with, what the operator allows. */
  readonly environmentFor: (worker: WhoWorks) => Promise<Readonly<Record<string, string>>>;
  readonly settings: () => Settings;
  /** The operator's rules, together with those of the issue's repository. */
  readonly policyOf: (issue: IssueId) => Policy;
  /** The local day a moment lies in; absent where nobody counts days. */
  readonly dayOf?: ((at: number) => Day) | undefined;
  readonly view: BoardView;
  readonly troubles: Troubles;
  readonly merges: MergesUnderWay;
  readonly tokens: WorkerTokens;
  readonly folders: Folders;
  /** Whether anything an attempt has said waits to be taken in; and whether a report does. */
  readonly wordsLeft: (worker: WorkerId, attempt: number) => Promise<boolean>;
  readonly reportLeft: (worker: WorkerId, attempt: number) => Promise<LeftReport>;
  /** Looks at one issue at once, or at everything; it never waits and may be called from anywhere. */
  readonly wake: (issue?: IssueId) => void;
}

/** A worker's record, or the order to start it. */
export interface WhoWorks {
  readonly mode: Mode;
  readonly issue?: IssueId | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** Where files of the legion lie that others meet, too. */
export interface Folders {
  readonly state: string;
  /** The Unix socket on which commands and workers reach the daemon; every daemon of this legion uses the same. */
  readonly socket: string;
  readonly outbox: (worker: WorkerId, attempt: number) => string;
}

/** Interface of a running daemon for HTTP and, through it, the CLI, MCP and the dashboard. */

import type { Event } from '../core/model/event.ts';
import type { IssueId, WorkerId, WorkerIdentity } from '../core/model/ids.ts';
import type { Phase } from '../core/model/mode.ts';
import type { Status } from '../core/model/status.ts';
import type { WebhookDelivery, WebhookReceiver } from '../ports/webhooks.ts';
import type { EditIssueRequest, IssueView, MovedIssue, NewIssueRequest } from '../protocol/board.ts';
import type { CollectedBoard, FetchRequest, PostedAnswer } from '../protocol/board-state.ts';
import type { CiQuery, CiView } from '../protocol/ci.ts';
import type {
  AttemptView,
  BoardQuery,
  DashboardBoard,
  JournalSpan,
  LegionFigures,
  SessionView,
  StoryPage,
  StoryQuery,
} from '../protocol/dashboard.ts';
import type { IssueDetail } from '../protocol/endpoints/issues.ts';
import type {
  ActionAnswer,
  AdvanceAnswer,
  AdvanceRequest,
  AnswerRequest,
  ApproveAnswer,
  ApproveRequest,
  BaselineRequest,
  GatesView,
  GcAnswer,
  HaltAnswer,
  HandoffsAnswer,
  InboxItem,
  IssueExplanation,
  MergeAnswer,
  MergeRequest,
  PruneAnswer,
  PruneRequest,
  RejectAnswer,
  RejectRequest,
  RollbackAnswer,
  StopAnswer,
} from '../protocol/operator.ts';
import type { IssueDiff, RepositoryCommands } from '../protocol/repository.ts';
import type { HealthView, StatusAnswer, StatusQuery } from '../protocol/status.ts';
import type { VerbName } from '../protocol/verb.ts';
import type {
  DispatchAnswer,
  DispatchRequest,
  LogsAnswer,
  LogsQuery,
  PromptAnswer,
  PromptRequest,
  WorkerStatusView,
  WorkersQuery,
  WorkerView,
} from '../protocol/workers.ts';

/**
 * Every method that fails rejects with a coded `LegionError`. A failed call has changed nothing,
 * unless the description of its error code says otherwise.
 */
export interface Daemon {
  readonly legion: string;
  health(): HealthView;
  /** Returns the data about the legion that every page needs. */
  session(): SessionView;
  readonly issues: IssueService;
  readonly workers: WorkerService;
  readonly operator: OperatorService;
  readonly dashboard: DashboardService;
  readonly events: EventService;
  readonly workerApi: WorkerApi;
  /**
   * Receives a webhook delivery and resolves at once. `accepted` is false for a repeated or
   * irrelevant delivery. Rejects with `webhook.no_secret` if no secret is configured (the delivery
   * is then not read), and with `webhook.unsigned` if the signature is missing or wrong.
   */
  webhooks(service: WebhookService, delivery: WebhookDelivery): Promise<{ readonly accepted: boolean }>;
  /** Returns metrics as Prometheus text. */
  metrics(): Promise<string>;
  /**
   * Returns at once. After the response is sent, the daemon stops or makes way for a successor.
   * Workers keep running unless `stopBy` is given, which is the name of the person who wants them
   * stopped. A restart throws if `legion.yaml` is invalid.
   */
  shutdown(how: 'stop' | 'restart', stopBy?: string): void;
}

/** Services that may send webhooks. */
export type WebhookService = 'github' | 'linear' | 'slack';

/** Receivers of the services with a configured secret. */
export type WebhookReceivers = Readonly<Partial<Record<WebhookService, WebhookReceiver>>>;

/**
 * The board. Issues of external trackers are read-only here: methods that change them reject with
 * `issue.not_ours`.
 */
export interface IssueService {
  list(): Promise<readonly IssueView[]>;
  show(issue: IssueId): Promise<IssueDetail>;
  add(request: NewIssueRequest): Promise<IssueView>;
  edit(issue: IssueId, edit: EditIssueRequest): Promise<IssueView>;
  comment(issue: IssueId, author: string, text: string): Promise<ActionAnswer>;
  label(
    issue: IssueId,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<IssueView>;
  move(issue: IssueId, status: Status): Promise<MovedIssue>;
  block(
    issue: IssueId,
    change: { readonly add: readonly IssueId[]; readonly remove: readonly IssueId[] },
  ): Promise<IssueView>;
  close(issue: IssueId): Promise<MovedIssue>;
}

export interface WorkerService {
  list(query: WorkersQuery): Promise<readonly WorkerView[]>;
  get(worker: WorkerId): WorkerView;
  status(worker: WorkerId): Promise<WorkerStatusView>;
  /**
   * Rejects with `worker.exists` (409), `worker.out_of_order` (422), `worker.crash_limit` (429) or
   * `worker.no_capacity` (503).
   */
  dispatch(request: DispatchRequest): Promise<DispatchAnswer>;
  prompt(worker: WorkerId, request: PromptRequest): Promise<PromptAnswer>;
  /** Returns the worker's environment with every possible secret redacted. */
  environment(worker: WorkerId): Promise<Readonly<Record<string, string>>>;
  /**
   * Stops the worker with the stop ladder. Also pauses the issue, unless `restart` is set. Resolves
   * when the stop has begun.
   */
  stop(worker: WorkerId, request: { readonly by: string; readonly restart: boolean }): Promise<StopAnswer>;
  /** Starts a new version of the session if the current one cannot be recovered. */
  reversion(worker: WorkerId, version: number): Promise<WorkerView>;
  /** Does nothing for an unknown worker. `repo` must be the repository of the worker's issue. */
  removeWorkspace(worker: WorkerId, repo?: string): Promise<ActionAnswer>;
  resetCrashes(worker: WorkerId, by: string): Promise<ActionAnswer>;
  /** Removes the state of issues that are finished and cleaned up. */
  prune(request: PruneRequest): Promise<PruneAnswer>;
  logs(worker: WorkerId, query: LogsQuery): Promise<LogsAnswer>;
}

export interface OperatorService {
  /**
   * Reads the board and the forge again and reports what is due for each issue, without changing
   * anything.
   */
  collect(request: Partial<FetchRequest>): Promise<CollectedBoard>;
  /**
   * Like `collect`, but for posted issues. Evaluates a tracker's response as posted. If only
   * references to issues are posted, reads those issues again. Rejects each unusable entry without
   * affecting the others.
   */
  collectPosted(posted: unknown): Promise<PostedAnswer>;
  advance(request: AdvanceRequest): Promise<AdvanceAnswer>;
  /** Returns the folded state as plain JSON. */
  materialized(): unknown;
  explain(issue: IssueId): Promise<IssueExplanation>;
  gates(issue: IssueId): Promise<GatesView>;
  /** Returns the checks at the head of the issue's pull request, with the ends of their logs. */
  ci(issue: IssueId, query: CiQuery): Promise<CiView>;
  handoffs(issue: IssueId): Promise<HandoffsAnswer>;
  writeHandoff(issue: IssueId, phase: Phase, content: unknown): Promise<ActionAnswer>;
  /** Reads the board again. The whole answer is built from this one read and one evaluation. */
  status(query: StatusQuery): Promise<StatusAnswer>;
  inbox(): Promise<readonly InboxItem[]>;
  approve(issue: IssueId, request: ApproveRequest): Promise<ApproveAnswer>;
  /** Sends back a specification, a plan or a merge, with the reason as a work order. */
  reject(issue: IssueId, request: RejectRequest): Promise<RejectAnswer>;
  answer(issue: IssueId, answer: AnswerRequest): Promise<ActionAnswer>;
  /** Pauses one issue, or all starts if no issue is given. */
  pause(issue: IssueId | undefined, by: string, why: string): Promise<ActionAnswer>;
  resume(issue: IssueId | undefined, by: string): Promise<ActionAnswer>;
  /** Stops every worker at once and starts none until `resume` without an issue. */
  halt(by: string, why: string): Promise<HaltAnswer>;
  rollback(issue: IssueId, by: string): Promise<RollbackAnswer>;
  /** On the local forge, merges a revert or the pull request of an issue that passes its gate. */
  mergePullRequest(request: MergeRequest): Promise<MergeAnswer>;
  gc(): Promise<GcAnswer>;
  repositoryCommands(): Promise<readonly RepositoryCommands[]>;
  /** `fingerprint` identifies the exact commands that were shown. */
  approveCommands(repo: string, fingerprint: string, by: string): Promise<ActionAnswer>;
  baseline(request: BaselineRequest): Promise<ActionAnswer>;
}

/** Page data from the daemon's own state, without requests to the tracker or the forge. */
export interface DashboardService {
  board(query: BoardQuery): Promise<DashboardBoard>;
  /**
   * Returns a version marker for the board: boards with equal markers are identical. Computed
   * without building the board.
   */
  boardMark(query: BoardQuery): string;
  span(): Promise<JournalSpan>;
  /**
   * Returns one page of the issue's story, which describes its events in plain words. Like the next
   * two methods, rejects with `tracker.issue_unknown` if neither the board nor the journal contains
   * the issue.
   */
  story(issue: IssueId, query: StoryQuery): Promise<StoryPage>;
  attempts(issue: IssueId): Promise<readonly AttemptView[]>;
  diff(issue: IssueId): Promise<IssueDiff>;
  /** `back` is the length of the period in milliseconds. The period ends now. */
  figures(back: number): Promise<LegionFigures>;
}

export interface EventService {
  /** Newest sequence number. */
  readonly version: number;
  /**
   * Yields events after the sequence number `after`, oldest first, in batches, up to the current
   * end.
   */
  read(after: number): AsyncIterable<readonly Event[]>;
  /**
   * Calls `listener` after each append and returns an unsubscribe function. The listener receives
   * no events: use `read` to get them.
   */
  subscribe(listener: () => void): () => void;
}

/** Worker API: handles requests under the identity that the worker's token proves. */
export interface WorkerApi {
  /** Returns undefined for an invalid token. */
  identify(token: string): WorkerIdentity | undefined;
  /**
   * Validates `input` against the verb's schema. `message` is the sender's message id. A repeated
   * id means that the worker did not receive the answer and is retrying.
   */
  handleVerb(
    who: WorkerIdentity,
    verb: VerbName,
    input: unknown,
    message?: string,
    from?: 'worker' | 'outbox',
  ): Promise<unknown>;
}

/** Everything a door may ask of a running daemon: HTTP, and through it the command line, MCP and the dashboard. */
import type { Event } from '../core/model/event.ts';
import type { IssueId, WorkerId } from '../core/model/ids.ts';
import type { Status } from '../core/model/status.ts';
import type { Mode, Phase } from '../domain/mode.ts';
import type { Delivery } from '../envoy/receiver.ts';
import type { BaselineRequest } from '../protocol/baseline.ts';
import type { EditIssueRequest, IssueView, NewIssueRequest } from '../protocol/board.ts';
import type { Collected, FetchRequest, PostedAnswer } from '../protocol/board-state.ts';
import type { CiView } from '../protocol/ci.ts';
import type {
  Attempt,
  Board,
  BoardQuery,
  Diff,
  Figures,
  JournalSpan,
  SessionView,
  Story,
  StoryQuery,
} from '../protocol/dashboard.ts';
import type { IssueDetail } from '../protocol/endpoints/issues.ts';
import type { MergeAnswer, MergeRequest, RollbackAnswer } from '../protocol/merging.ts';
import type {
  AdvanceAnswer,
  AdvanceRequest,
  AnswerRequest,
  DispatchRequest,
  Explanation,
  GatesView,
  HandoffsAnswer,
  HealthView,
  InboxItem,
  LogsAnswer,
  PromptAnswer,
  PromptRequest,
  RepositoryCommands,
  Said,
  WorkerStatusView,
  WorkerView,
} from '../protocol/operator.ts';
import type { CiQuery, LogsQuery } from '../protocol/params.ts';
import type { StatusAnswer, StatusQuery } from '../protocol/status.ts';
import type { HaltAnswer, MovedIssue, StopAnswer } from '../protocol/stopping.ts';
import type { GcAnswer } from '../protocol/upkeep.ts';
import type { VerbName } from '../protocol/verb.ts';

/** Every method rejects with a coded `LegionError` and then has changed nothing, or what its fault says. */
export interface Daemon {
  readonly legion: string;
  health(): HealthView;
  /** What a page needs to know of the legion it shows. */
  session(): SessionView;
  readonly issues: IssuesDesk;
  readonly workers: WorkersDesk;
  readonly operator: OperatorDesk;
  readonly dashboard: DashboardDesk;
  readonly events: EventsDesk;
  readonly speech: Speech;
  /**
   * What a service has sent. Rejects with `webhook.no_secret` before anything is read, with `webhook.unsigned` before anything is
   * believed. Resolves at once; `accepted` is false where it came before or means nothing here.
   */
  webhooks(service: WebhookService, delivery: Delivery): Promise<{ readonly accepted: boolean }>;
  /** Prometheus text. */
  metrics(): Promise<string>;
  /**
   * Returns at once; the daemon ends, or gives way to a successor, after the answer is out. Workers keep running, unless
   * `stopBy` names who wants them to be stopped before. A restart with an invalid `legion.yaml` throws its fault.
   */
  shutdown(how: 'stop' | 'restart', stopBy?: string): void;
}

/** Who may send webhooks. */
export type WebhookService = 'github' | 'linear' | 'slack';

/** The board. On a tracker that is not ours only reading is possible; the rest rejects with `issue.not_ours`. */
export interface IssuesDesk {
  list(): Promise<readonly IssueView[]>;
  show(issue: IssueId): Promise<IssueDetail>;
  add(request: NewIssueRequest): Promise<IssueView>;
  edit(issue: IssueId, edit: EditIssueRequest): Promise<IssueView>;
  comment(issue: IssueId, author: string, text: string): Promise<Said>;
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

export interface WorkersDesk {
  list(): readonly WorkerView[];
  get(worker: WorkerId): WorkerView;
  status(worker: WorkerId): Promise<WorkerStatusView>;
  /** Rejects with `worker.exists` (409), `worker.out_of_order` (422), `worker.crash_limit` (429) or `worker.no_capacity` (503). */
  dispatch(request: DispatchRequest): Promise<WorkerView>;
  prompt(worker: WorkerId, request: PromptRequest): Promise<PromptAnswer>;
  /** The environment a worker is given; every value that may be a secret is redacted. */
  environment(worker: WorkerId): Promise<Readonly<Record<string, string>>>;
  /** Holds its issue, unless it is to start again, and stops it by the ladder; resolves when that has begun. */
  stop(worker: WorkerId, request: { readonly by: string; readonly restart: boolean }): Promise<StopAnswer>;
  /** A new version of its session: the escape hatch for one that cannot be recovered. */
  reversion(worker: WorkerId, version: number): Promise<WorkerView>;
  removeWorkspace(worker: WorkerId): Promise<Said>;
  resetCrashes(worker: WorkerId, by: string): Promise<Said>;
  /** Forgets what is kept of issues that are over and cleaned up. */
  prune(): Promise<{ readonly pruned: readonly IssueId[] }>;
  logs(worker: WorkerId, query: LogsQuery): Promise<LogsAnswer>;
}

export interface OperatorDesk {
  /** Reads the board and the forge anew and says what is due for each issue; it changes nothing by itself. */
  collect(request: Partial<FetchRequest>): Promise<Collected>;
  /**
   * The same for issues that are posted: an answer of the legion's service as it is, evaluated as it says, or a list that
   * names issues, which are read anew. An entry that is not usable is rejected alone.
   */
  collectPosted(posted: unknown): Promise<PostedAnswer>;
  advance(request: AdvanceRequest): Promise<AdvanceAnswer>;
  /** The folded state as plain JSON. */
  materialized(): unknown;
  explain(issue: IssueId): Promise<Explanation>;
  gates(issue: IssueId): Promise<GatesView>;
  /** The checks at the head of its pull request, with the ends of their logs. */
  ci(issue: IssueId, query: CiQuery): Promise<CiView>;
  handoffs(issue: IssueId): Promise<HandoffsAnswer>;
  writeHandoff(issue: IssueId, phase: Phase, content: unknown): Promise<Said>;
  /** The board is read anew and evaluated once for everything in the answer. */
  status(query: StatusQuery): Promise<StatusAnswer>;
  inbox(): Promise<readonly InboxItem[]>;
  approve(issue: IssueId, by: string): Promise<Said>;
  answer(issue: IssueId, answer: AnswerRequest): Promise<Said>;
  /** One issue, or the start of any worker where none is named. */
  pause(issue: IssueId | undefined, by: string, why: string): Promise<Said>;
  resume(issue: IssueId | undefined, by: string): Promise<Said>;
  /** Stops every worker at once and starts none until `resume` without an issue. */
  halt(by: string, why: string): Promise<HaltAnswer>;
  rollback(issue: IssueId, by: string): Promise<RollbackAnswer>;
  /** Of the local forge: a revert, or one whose issue passes its gate. */
  mergePullRequest(request: MergeRequest): Promise<MergeAnswer>;
  gc(): Promise<GcAnswer>;
  repositoryCommands(): Promise<readonly RepositoryCommands[]>;
  /** `fingerprint` names the very commands that were shown. */
  approveCommands(repo: string, fingerprint: string, by: string): Promise<Said>;
  baseline(request: BaselineRequest): Promise<Said>;
}

/** What pages show, all of it from what the daemon knows: neither the tracker nor the forge is asked for anything. */
export interface DashboardDesk {
  board(query: BoardQuery): Promise<Board>;
  /** Two boards of the same mark are the same; known without making either. */
  boardMark(query: BoardQuery): string;
  span(): Promise<JournalSpan>;
  /** This and the next two reject with `tracker.issue_unknown` where neither board nor journal knows the issue. */
  story(issue: IssueId, query: StoryQuery): Promise<Story>;
  attempts(issue: IssueId): Promise<readonly Attempt[]>;
  diff(issue: IssueId): Promise<Diff>;
  /** Of so many milliseconds until now. */
  figures(back: number): Promise<Figures>;
}

export interface EventsDesk {
  /** The newest sequence number. */
  readonly version: number;
  /** Events after `seq`, oldest first, in batches; ends at the present end. */
  read(after: number): AsyncIterable<readonly Event[]>;
  /** Calls `listener` after each append; returns the way to stop that. A hint: read to see what is new. */
  subscribe(listener: () => void): () => void;
}

/** What a worker says, under the identity its token proves. */
export interface Speech {
  /** Undefined where the token is none of ours. */
  identify(token: string): WorkerIdentity | undefined;
  /**
   * `input` is checked here, against the verb's schema. `message` is the id its sender gave the message: the same id again
   * is the same message, sent once more because no answer came back.
   */
  say(
    who: WorkerIdentity,
    verb: VerbName,
    input: unknown,
    message?: string,
    from?: 'worker' | 'outbox',
  ): Promise<unknown>;
}

export interface WorkerIdentity {
  readonly issue: IssueId;
  readonly mode: Mode;
  readonly attempt: number;
}

/** Serves the board: reads issues, and edits them on behalf of a person. */
import { randomUUID } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { isLive, toLifecycleState } from '../../core/model/lifecycle.ts';
import { isFinished, readStatus } from '../../core/model/status.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import { findPendingStop, STATUSES_WITHOUT_WORKERS } from '../../core/state/stopping.ts';
import { listIssueWorkers } from '../../core/state/workers.ts';
import type { IssueEdit, LocalBoard } from '../../ports/board-editor.ts';
import type { IssueView, MovedIssue, PullRequestView, RevertView } from '../../protocol/board.ts';
import type { IssueDetail } from '../../protocol/endpoints/issues.ts';
import { type Handoff, handoffSchema } from '../../protocol/verb.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import type { IssueService } from '../daemon.ts';
import type { LoopControl } from '../loop/control.ts';
import { toIssueView } from '../present/issue-state.ts';
import { toWorkerView } from '../present/worker.ts';
import { buildPullRequestView } from '../repositories/read-outside.ts';
import { describeOpenPullRequest, type RevertStates } from './operator/reverts.ts';
import { readIssue, readPullRequest, readWithLimit } from './read-outside.ts';

export function createIssueService(
  context: StateContext & PortContext,
  control: Pick<LoopControl, 'reconcile'>,
  revertStates: RevertStates,
): IssueService {
  const toView = (issue: Issue) => toIssueView(context, issue);

  /** Writes the change before waking the loop, because a wake-up may be lost. */
  async function change(
    named: IssueId,
    work: (board: LocalBoard, issue: IssueId) => Promise<void>,
  ): Promise<IssueView> {
    const issue = context.boardView.resolveId(named);
    await work(requireOwnBoard(context), issue);
    context.wake(issue);
    const changed = await readIssue(context, issue);
    showAtOnce(context, changed);
    return toView(changed);
  }

  async function finishMove(moved: IssueView): Promise<MovedIssue> {
    const stopped = await stopWorkersNow(moved);
    const notes = [
      ...describeRestart(context, stopped),
      ...(isFinished(moved.status) ? await describeOpenPullRequest(context, moved.id) : []),
    ];
    return notes.length === 0 ? stopped : { ...stopped, notes };
  }

  /**
   * Reconciles the moved issue before responding, so that the person sees which workers stop. The
   * loop has already been woken.
   */
  async function stopWorkersNow(moved: IssueView): Promise<MovedIssue> {
    const live = listIssueWorkers(context.ledger.state, moved.id).filter(({ facts }) =>
      isLive(toLifecycleState(facts)),
    );
    if (live.length === 0) return moved;
    await control.reconcile(moved.id).catch(() => undefined);
    const { state } = context.ledger;
    const stoppedWorkers = live.flatMap(({ mode, attempt }) => {
      const worker = state.workers.get(toWorkerId(moved.id, mode));
      if (worker?.attempt !== attempt || toLifecycleState(worker.facts) !== 'stopped') return [];
      return [{ mode, stopping: findPendingStop(state, worker, context.settings().health) }];
    });
    return { ...moved, stoppedWorkers };
  }

  function edit(named: IssueId, { blockers, ...rest }: IssueEdit): Promise<IssueView> {
    const spelled = blockers && {
      add: blockers.add.map((other) => context.boardView.resolveId(other)),
      remove: blockers.remove.map((other) => context.boardView.resolveId(other)),
    };
    return change(named, (board, issue) => board.edit(issue, { ...rest, blockers: spelled }));
  }

  return {
    async list() {
      return (await readWithLimit((signal) => context.tracker.list(signal))).map(toView);
    },
    show: (issue) => showIssue(context, revertStates, context.boardView.resolveId(issue)),
    async add({ key, ...wanted }) {
      // The prefix keeps these keys apart from the keys that Legion makes for sub-issues.
      const id = await requireOwnBoard(context).create(`operator:${key ?? randomUUID()}`, wanted);
      context.wake(id);
      return toView(await readIssue(context, id));
    },
    edit,
    async comment(named, author, text) {
      const { id } = await change(named, (board, issue) => board.say(issue, author, text));
      return { says: `Posted on ${id}.` };
    },
    label: (named, labels) => edit(named, { labels }),
    async move(named, status) {
      const moved = await change(named, (board, issue) => board.move(issue, status));
      return STATUSES_WITHOUT_WORKERS.has(status) ? finishMove(moved) : moved;
    },
    block: (named, blockers) => edit(named, { blockers }),
    async close(named) {
      return finishMove(await change(named, (board, issue) => board.close(issue)));
    },
  };
}

async function showIssue(
  context: StateContext & PortContext,
  revertStates: RevertStates,
  id: IssueId,
): Promise<IssueDetail> {
  const issue = await readIssue(context, id);
  const comments = await readWithLimit((signal) => context.tracker.commentsSince(id, 0, signal));
  return {
    issue: toIssueView(context, issue),
    comments: comments.map(({ id: comment, author, by, at, text }) => ({
      id: comment,
      author,
      by,
      at,
      text,
    })),
    pullRequest: await readPullRequestView(context, id),
    revert: await readRevertView(context, revertStates, id),
    specification: findSpecification(context, id),
    workers: listIssueWorkers(context.ledger.state, id).map((worker) => toWorkerView(context, worker)),
  };
}

async function readPullRequestView(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<PullRequestView | null> {
  const found = await readPullRequest(context, issue);
  return found === null ? null : await buildPullRequestView(context, issue, found).catch(() => null);
}

/**
 * Updates the daemon's view of the board, which would otherwise show the change only after the next
 * reconcile pass.
 */
function showAtOnce({ boardView, settings }: StateContext, issue: Issue): void {
  const seen = boardView.find(issue.id);
  if (seen === undefined) return;
  boardView.replace(issue.id, { ...seen, issue, status: readStatus(issue.column, settings().columns) });
}

/**
 * Warns that an issue moved to Backlog gets an architect next, which would surprise a person who
 * wanted the work to end.
 */
function describeRestart(
  { ledger, settings }: StateContext,
  { id, status, labels, stoppedWorkers = [] }: MovedIssue,
): string[] {
  if (status !== 'Backlog' || stoppedWorkers.length === 0 || !settings().autoAdvance) return [];
  if (ledger.state.breaker.open !== undefined) return [];
  if (computeEffectiveLabels(labels, ledger.state, id).has('legion-paused')) return [];
  return [
    `Legion will start work on ${id} again, because it is in Backlog. To prevent that, run \`legion pause ${id}\` or move it to Icebox.`,
  ];
}

/** Returns the architect's handoff. Undefined if there is none or this version cannot read it. */
function findSpecification({ ledger }: StateContext, issue: IssueId): Handoff | undefined {
  const read = handoffSchema.safeParse(ledger.state.issues.get(issue)?.handoffs.architect);
  return read.success ? read.data : undefined;
}

async function readRevertView(
  { ledger, repositories }: StateContext & PortContext,
  revertStates: RevertStates,
  issue: IssueId,
): Promise<RevertView | undefined> {
  const number = ledger.state.issues.get(issue)?.merged?.undone?.revert;
  const state = await revertStates(issue);
  if (number === undefined || state === undefined) return undefined;
  return { number, state, url: repositories.find(issue)?.addressOf?.(number) };
}

/** Rejects with `issue.not_ours` if the issues are on an external service. */
function requireOwnBoard({ board, tracker }: PortContext): LocalBoard {
  if (board === undefined) {
    throw new LegionError('issue.not_ours', `The issues of this legion are on ${tracker.kind}.`);
  }
  return board;
}

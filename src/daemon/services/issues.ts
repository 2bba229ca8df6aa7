/** The board's desk: reading issues, and editing them as the person who asks. */
import { randomUUID } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, workerId } from '../../core/model/ids.ts';
import { isFinished, readStatus } from '../../core/model/status.ts';
import type { Issue } from '../../domain/issue.ts';
import { isLive, lifecycleOf } from '../../domain/lifecycle.ts';
import type { IssueEdit, LocalBoard } from '../../ports/board-editor.ts';
import type { IssueView, RevertView } from '../../protocol/board.ts';
import type { IssueDetail } from '../../protocol/endpoints/issues.ts';
import type { MovedIssue } from '../../protocol/stopping.ts';
import { type Handoff, handoffSchema } from '../../protocol/verb.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import { STATUSES_WITHOUT_WORKERS } from '../../swarm/stop-unwanted.ts';
import { stoppingOf } from '../../swarm/stopping.ts';
import { workersOf } from '../../swarm/workers.ts';
import type { Control } from '../control.ts';
import type { IssuesDesk } from '../daemon.ts';
import { describeOpenPullRequest } from '../desks/describe-open-pull-request.ts';
import type { RevertStates } from '../desks/operator/revert-states.ts';
import { readIssue, reading } from '../desks/read-outside.ts';
import { readPullRequest } from '../desks/read-pull-request.ts';
import { workerView } from '../present/worker.ts';
import { issueView } from '../speech/views.ts';
import type { World } from '../world.ts';

export function issuesDesk(
  world: World,
  control: Pick<Control, 'lookAt'>,
  revertStates: RevertStates,
): IssuesDesk {
  const view = (issue: Issue) => issueView(world, issue);

  /** Write first, then wake: a wake-up may be lost. */
  async function change(
    named: IssueId,
    work: (board: LocalBoard, issue: IssueId) => Promise<void>,
  ): Promise<IssueView> {
    const issue = world.view.spelled(named);
    await work(ownBoard(world), issue);
    world.wake(issue);
    const changed = await readIssue(world, issue);
    showAtOnce(world, changed);
    return view(changed);
  }

  async function finishMove(moved: IssueView): Promise<MovedIssue> {
    const stopped = await stopWorkersNow(moved);
    const notes = [
      ...describeRestart(world, stopped),
      ...(isFinished(moved.status) ? await describeOpenPullRequest(world, moved.id) : []),
    ];
    return notes.length === 0 ? stopped : { ...stopped, notes };
  }

  /** Before the answer, so that the person sees which workers stop; the loop was woken in any case. */
  async function stopWorkersNow(moved: IssueView): Promise<MovedIssue> {
    const live = workersOf(world.ledger.swarm, moved.id).filter(({ facts }) => isLive(lifecycleOf(facts)));
    if (live.length === 0) return moved;
    await control.lookAt(moved.id).catch(() => undefined);
    const { swarm } = world.ledger;
    const stoppedWorkers = live.flatMap(({ mode, attempt }) => {
      const worker = swarm.workers.get(workerId(moved.id, mode));
      if (worker?.attempt !== attempt || lifecycleOf(worker.facts) !== 'stopped') return [];
      return [{ mode, stopping: stoppingOf(swarm, worker, world.settings().health) }];
    });
    return { ...moved, stoppedWorkers };
  }

  function edit(named: IssueId, { blockers, ...rest }: IssueEdit): Promise<IssueView> {
    const spelled = blockers && {
      add: blockers.add.map((other) => world.view.spelled(other)),
      remove: blockers.remove.map((other) => world.view.spelled(other)),
    };
    return change(named, (board, issue) => board.edit(issue, { ...rest, blockers: spelled }));
  }

  return {
    async list() {
      return (await reading((signal) => world.tracker.list(signal))).map(view);
    },
    show: (issue) => show(world, revertStates, world.view.spelled(issue)),
    async add({ key, ...wanted }) {
      // Apart from the keys Legion makes for sub-issues, so that nobody's key can meet another's.
      const id = await ownBoard(world).create(`operator:${key ?? randomUUID()}`, wanted);
      world.wake(id);
      return view(await readIssue(world, id));
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

async function show(world: World, revertStates: RevertStates, id: IssueId): Promise<IssueDetail> {
  const issue = await readIssue(world, id);
  const comments = await reading((signal) => world.tracker.commentsSince(id, 0, signal));
  return {
    issue: issueView(world, issue),
    comments: comments.map(({ id: comment, author, by, at, text }) => ({
      id: comment,
      author,
      by,
      at,
      text,
    })),
    pullRequest: await readPullRequest(world, id),
    revert: await readRevertView(world, revertStates, id),
    specification: specificationOf(world, id),
    workers: workersOf(world.ledger.swarm, id).map((worker) => workerView(world, worker)),
  };
}

/** Otherwise the board would show the change only after the next look at it. */
function showAtOnce({ view, settings }: World, issue: Issue): void {
  const seen = view.of(issue.id);
  if (seen === undefined) return;
  view.replace(issue.id, { ...seen, issue, status: readStatus(issue.column, settings().columns) });
}

/** In Backlog an architect is due, which surprises a person who wanted the work to end. */
function describeRestart(
  { ledger, settings }: World,
  { id, status, labels, stoppedWorkers = [] }: MovedIssue,
): string[] {
  if (status !== 'Backlog' || stoppedWorkers.length === 0 || !settings().autoAdvance) return [];
  if (ledger.swarm.breaker.open !== undefined) return [];
  if (effectiveLabels(labels, ledger.swarm, id).has('legion-paused')) return [];
  return [
    `Legion starts on ${id} again from Backlog. To keep it still, run \`legion pause ${id}\` or move it to Icebox.`,
  ];
}

/** Undefined also for a handoff that this version cannot read. */
function specificationOf({ ledger }: World, issue: IssueId): Handoff | undefined {
  const read = handoffSchema.safeParse(ledger.swarm.issues.get(issue)?.handoffs.architect);
  return read.success ? read.data : undefined;
}

async function readRevertView(
  { ledger, repositories }: World,
  revertStates: RevertStates,
  issue: IssueId,
): Promise<RevertView | undefined> {
  const number = ledger.swarm.issues.get(issue)?.merged?.undone?.revert;
  const state = await revertStates(issue);
  if (number === undefined || state === undefined) return undefined;
  return { number, state, url: repositories.find(issue)?.addressOf?.(number) };
}

/** Rejects with `issue.not_ours` where issues live on a service of their own. */
function ownBoard({ board, tracker }: World): LocalBoard {
  if (board === undefined) {
    throw new LegionError('issue.not_ours', `the issues of this legion live on ${tracker.kind}`);
  }
  return board;
}

/** One look at the board, or a part of it: observe, decide, write the intents down, and hand them over to be performed. */
import type { EventBody } from '../core/model/event.ts';
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import { isFinished } from '../core/model/status.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Issue } from '../domain/issue.ts';
import { effectiveLabels } from '../swarm/effective-labels.ts';
import { type IssueStep, type Step, type StepContext, step } from '../swarm/step.ts';
import { stopUnwantedWorkers, type UnwantedStop } from '../swarm/stop-unwanted.ts';
import { answeredOnIssue, waitsForWordSince } from './answered-on-issue.ts';
import { type Outside, observe, observeIssues } from './context/observer.ts';
import type { Staged } from './context/staging.ts';
import { evaluationContext, findLoopHold, outsideOf } from './evaluator.ts';
import { Touched } from './loop/change-tracker.ts';
import type { Cooling } from './loop/issue-backoff.ts';
import type { Performer } from './loop/performer.ts';
import { landed, wasAutomatic } from './reports/landed.ts';
import { sightings } from './sightings.ts';
import { unpausedByHand } from './unpaused-by-hand.ts';
import type { World } from './world.ts';

type Scope = 'all' | ReadonlySet<IssueId>;

export interface Look {
  /** Observes and carries out what is due. */
  at(scope: Scope, signal: AbortSignal): Promise<Step>;
  /** What is due for one issue; carried out only if `carryOut`. */
  atOne(issue: IssueId, carryOut: boolean, signal: AbortSignal): Promise<IssueStep>;
}

const NOTHING: Step = { issues: [], wakeAt: undefined };

/** `ended` hears of an issue that was found to be over: others may have waited for it. */
export function looker(world: World, performer: Performer, cooling: Cooling, ended: () => void): Look {
  const { ledger, view } = world;
  const touched = new Touched(ledger);
  const outside = (): Outside => ({
    ...outsideOf(world),
    lastSeen: (issue) => view.of(issue)?.pullRequest,
    // On our own board people answer by a command, which knows which question they mean.
    ...(world.board === undefined && {
      waitsSince: (issue: Issue) => waitsForWordSince(ledger.swarm, issue),
    }),
  });

  async function seen(scope: Scope, signal: AbortSignal): Promise<readonly SeenIssue[]> {
    if (scope === 'all') {
      const board = await observe(outside(), ledger.swarm, signal);
      view.replaceAll(board);
      return board;
    }
    const board = await observeIssues(outside(), ledger.swarm, [...scope], signal);
    // By the journal: the view shows what Legion has just written, before anybody has waited for it.
    const before = ledger.swarm.board;
    if (board.some(({ issue, status }) => isFinished(status) && !isFinished(before.get(issue.id)?.status)))
      ended();
    for (const issue of scope) view.replace(issue, undefined);
    for (const each of board) view.replace(each.issue.id, each);
    return board;
  }

  /** With something under way for it nothing new is begun; whoever does that wakes us when it is done. */
  function isIdle(issue: IssueId): boolean {
    return (ledger.swarm.issues.get(issue)?.openIntents ?? 0) === 0;
  }

  function context(): StepContext {
    const { legionId, host } = world;
    return { ...evaluationContext(world), legionId, host: host.name, whole: view.all };
  }

  /** Decided when it is its turn to be written: nothing can have happened between the decision and the journal. */
  async function carriedOut(
    { whole, due }: { readonly whole: readonly SeenIssue[]; readonly due: readonly SeenIssue[] },
    since: number,
    sighted: (swarm: Swarm) => readonly EventBody[],
  ): Promise<Step> {
    let taken = NOTHING;
    let stops: readonly UnwantedStop[] = [];
    const fresh = ({ others }: Staged) => touched.untouchedSince(since, due, world.wake, others);
    await ledger.append(
      (swarm, staged) => [
        ...sighted(swarm),
        ...unpausedByHand(swarm, fresh(staged), world.clock.now()),
        ...unnoticedMerges(swarm, fresh(staged)),
        ...unnoticedReverts(swarm, fresh(staged)),
        ...answeredOnIssue(swarm, fresh(staged)),
      ],
      // Of every issue, also where nothing is carried out: a person has decided.
      (swarm, { others }) => {
        stops = stopUnwantedWorkers(swarm, touched.untouchedSince(since, whole, world.wake, others));
        return stops.flatMap(({ events }) => events);
      },
      (swarm, staged) => {
        taken = step(swarm, fresh(staged), context());
        return taken.issues.flatMap(({ events }) => events);
      },
    );
    for (const { issue, commands } of stops) void performer.begin(issue, commands);
    for (const { issue, commands } of taken.issues) {
      if (commands.length > 0) void performer.begin(issue, commands);
    }
    return taken;
  }

  return {
    async at(scope, signal) {
      const wanted = scope === 'all' ? scope : new Set([...scope].filter(isIdle));
      if (wanted !== 'all' && wanted.size === 0) return NOTHING;
      const since = ledger.swarm.version;
      const board = await seen(wanted, signal);
      const sighted = (swarm: Swarm) => sightings(swarm, board, wanted);
      const due = board.filter(
        ({ issue }) => findLoopHold(world, issue) === undefined && !cooling.isResting(issue.id),
      );
      return carriedOut({ whole: board, due }, since, sighted);
    },
    async atOne(issue, carryOut, signal) {
      const since = ledger.swarm.version;
      const board = await seen(new Set([issue]), signal);
      if (board.length === 0)
        throw new LegionError('tracker.issue_unknown', `there is no issue ${issue} on the board`);
      const sighted = (swarm: Swarm) => sightings(swarm, board, [issue]);
      const taken = carryOut
        ? await carriedOut({ whole: board, due: board }, since, sighted)
        : step(ledger.swarm, board, context());
      return taken.issues[0] ?? { issue, decisions: [], events: [], commands: [] };
    },
  };
}

/** Merges the journal has not heard of: a person's on the forge, or one whose worker and daemon died right after it. */
function unnoticedMerges(swarm: Swarm, board: readonly SeenIssue[]): EventBody[] {
  return board.flatMap(({ issue, pullRequest }) => {
    if (typeof pullRequest !== 'object' || pullRequest.state !== 'merged') return [];
    const { mergedSha } = pullRequest;
    if (mergedSha === undefined) return [];
    const auto = wasAutomatic(effectiveLabels(issue.labels, swarm, issue.id));
    return landed(swarm, { issue: issue.id, pullRequest, mergedSha, auto });
  });
}

/** Reverts that a person merged on the forge's pages. */
function unnoticedReverts(swarm: Swarm, board: readonly SeenIssue[]): EventBody[] {
  return board.flatMap(({ issue: { id }, revert }) => {
    const undone = swarm.issues.get(id)?.merged?.undone;
    if (revert?.mergedSha === undefined || undone?.revert !== revert.number || undone.landed) return [];
    const { number, mergedSha } = revert;
    const by = 'a person on the forge';
    return [{ type: 'revert.landed', issue: id, revert: number, mergedSha, by, forced: false }];
  });
}

/** One look at the board, or a part of it: observe, decide, write the intents down, and hand them over to be performed. */
import { LegionError } from '../domain/fault.ts';
import type { IssueId } from '../domain/ids.ts';
import type { SeenIssue } from '../swarm/observation.ts';
import { type IssueStep, type Step, type StepContext, step } from '../swarm/step.ts';
import type { Cooling } from './cooling.ts';
import { type Outside, observe, observeIssues } from './observe.ts';
import type { Performer } from './performer.ts';
import type { Scope } from './scope.ts';
import { unpausedByHand } from './unpaused-by-hand.ts';
import type { World } from './world.ts';

export interface Look {
  /** Observes and carries out what is due. */
  at(scope: Scope, signal: AbortSignal): Promise<Step>;
  /** What is due for one issue; carried out only if `carryOut`. */
  atOne(issue: IssueId, carryOut: boolean, signal: AbortSignal): Promise<IssueStep>;
}

export function looker(world: World, performer: Performer, cooling: Cooling): Look {
  const { ledger, view, settings, tracker, repository } = world;
  const outside = (): Outside => ({ tracker, forge: repository.forge, columns: settings().columns });

  async function seen(scope: Scope, signal: AbortSignal): Promise<readonly SeenIssue[]> {
    if (scope === 'all') {
      const board = await observe(outside(), ledger.swarm, signal);
      view.replaceAll(board);
      return board;
    }
    const board = await observeIssues(outside(), ledger.swarm, [...scope], signal);
    for (const issue of scope) view.replace(issue, undefined);
    for (const each of board) view.replace(each.issue.id, each);
    return board;
  }

  function context(): StepContext {
    const { places, staggerMs, checkWaitMs, health, policy } = settings();
    const { legionId, clock, host } = world;
    return {
      ...{ legionId, places, staggerMs, checkWaitMs, health, host: host.name },
      now: clock.now(),
      policyOf: () => policy,
      whole: view.all,
    };
  }

  /** Decided when it is its turn to be written: nothing can have happened between the decision and the journal. */
  async function carriedOut(board: readonly SeenIssue[]): Promise<Step> {
    let taken: Step = { issues: [], wakeAt: undefined };
    await ledger.append((swarm) => unpausedByHand(swarm, board));
    await ledger.append((swarm) => {
      taken = step(swarm, board, context());
      return taken.issues.flatMap(({ events }) => events);
    });
    for (const { issue, commands } of taken.issues) {
      if (commands.length > 0) void performer.begin(issue, commands);
    }
    return taken;
  }

  return {
    async at(scope, signal) {
      const board = await seen(scope, signal);
      const due = board.filter(
        ({ issue }) => tracker.mayDispatch(issue).allowed && !cooling.isResting(issue.id),
      );
      return settings().autoAdvance ? carriedOut(due) : { issues: [], wakeAt: undefined };
    },
    async atOne(issue, carryOut, signal) {
      const board = await seen(new Set([issue]), signal);
      if (board.length === 0)
        throw new LegionError('tracker.issue_unknown', `there is no issue ${issue} on the board`);
      const taken = carryOut ? await carriedOut(board) : step(ledger.swarm, board, context());
      return taken.issues[0] ?? { issue, decisions: [], events: [], commands: [] };
    },
  };
}

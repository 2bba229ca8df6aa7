/** Writes what the due step has to write before its worker starts: the decisions, the rounds, the move and the labels. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { newIssueRecord, type Swarm } from '../../../core/state/state.ts';
import type { Mode } from '../../../domain/mode.ts';
import type { IssueStep } from '../../../swarm/step.ts';
import type { World } from '../../world.ts';
import { refuseWhileTaken } from './may-start.ts';

/** What is written here is due anyway: where the worker then does not start, the loop goes on from it. */
export async function carryOutBefore(world: World, step: IssueStep, mode: Mode): Promise<void> {
  await world.ledger.append((swarm) => {
    // The loop may have begun the same step since it was looked at; a round must not count twice.
    refuseWhileTaken(swarm, step.issue, mode);
    if ((swarm.issues.get(step.issue)?.openIntents ?? 0) > 0)
      throw new LegionError(
        'worker.out_of_order',
        `${step.issue}: a step is being carried out at this moment`,
      );
    return numberedAnew(swarm, step);
  });
  for (const { command } of step.commands) {
    if (command.kind !== 'write_issue') continue;
    const { issue, moveTo, add, remove, covers } = command;
    const labels = { add, remove };
    await world.tracker.write(issue, moveTo === undefined ? { labels } : { moveTo, labels });
    if (covers > 0) await world.ledger.append([{ type: 'labels.written', issue, revision: covers }]);
  }
}

/** The step was thought out a moment ago; serials are taken now. */
function numberedAnew(swarm: Swarm, { issue, events }: IssueStep): EventBody[] {
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  let { lastDecision: decision, generation, rounds } = record;
  return events.flatMap((event): EventBody[] => {
    switch (event.type) {
      case 'decision.made':
        decision += 1;
        return [{ ...event, decision }];
      case 'rounds.reset':
        generation += 1;
        rounds = {};
        return [{ ...event, generation }];
      case 'round.counted': {
        const count = (rounds[event.reason] ?? 0) + 1;
        rounds = { ...rounds, [event.reason]: count };
        return [{ ...event, generation, count }];
      }
      default:
        return [];
    }
  });
}

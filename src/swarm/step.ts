/** One pass over the board: what every issue needs now, in order of urgency, as events to append and commands to perform. */
import type { Command } from '../core/model/command.ts';
import type { EventBody } from '../core/model/event.ts';
import { eventsOf } from '../core/state/events.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Decision } from '../domain/decision.ts';
import { commandsOf } from './commands.ts';
import { type EvaluationContext, Evaluator } from './evaluate.ts';

export interface StepContext extends EvaluationContext {
  readonly legionId: string;
  /** Where new workers start. */
  readonly host: string;
  /** The whole board as last seen, where only a part of it is looked at now; it decides turns and who waits for whom. */
  readonly whole?: readonly SeenIssue[];
}

export interface IssueStep {
  readonly issue: string;
  /** What was decided, last one last; it is what `explain` shows. */
  readonly decisions: readonly Decision[];
  /** To be appended before any command is performed. */
  readonly events: readonly EventBody[];
  readonly commands: readonly { readonly intent: number; readonly command: Command }[];
}

export interface Step {
  readonly issues: readonly IssueStep[];
  /** When to look again at the latest, because of a start that came too soon. */
  readonly wakeAt: number | undefined;
}

/** Pure: the same state, board and time give the same step. Issues with an open intent are left until it is settled. */
export function step(swarm: Swarm, board: readonly SeenIssue[], context: StepContext): Step {
  const evaluator = new Evaluator(swarm, context.whole ?? board, context);
  const idle = board.filter(({ issue }) => (swarm.issues.get(issue.id)?.openIntents ?? 0) === 0);
  const issues: IssueStep[] = [];
  let lastIntent = swarm.lastIntent;
  for (const { seen, chain } of evaluator.evaluatePass(idle)) {
    const commands = commandsOf(swarm, seen, chain, (mode) => evaluator.agentFor(mode)).map((command) => {
      lastIntent += 1;
      return { intent: lastIntent, command };
    });
    const events = eventsOf(swarm, seen.issue.id, chain, commands, context);
    issues.push({
      issue: seen.issue.id,
      decisions: chain.links.map((link) => link.decision),
      events,
      commands,
    });
  }
  return { issues, wakeAt: evaluator.wakeAt };
}

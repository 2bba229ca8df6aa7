/** One pass over the board: what every issue needs now, in order of urgency, as events to append and commands to perform. */
import type { Command } from '../domain/command.ts';
import type { Decision } from '../domain/decision.ts';
import type { EventBody } from '../domain/event.ts';
import type { Signals } from '../domain/signals.ts';
import { decide } from '../pipeline/decide.ts';
import { byUrgency, iceboxTurns } from '../pipeline/order.ts';
import type { Policy } from '../pipeline/policy.ts';
import { chainOf } from './chain.ts';
import { commandsOf } from './commands.ts';
import { eventsOf } from './events.ts';
import { iceboxIssues, type SeenIssue, signalsOf } from './observation.ts';
import { type StartContext, Starts } from './starts.ts';
import type { Swarm } from './state.ts';

export interface StepContext extends StartContext {
  readonly legionId: string;
  /** Where new workers start. */
  readonly host: string;
  /** How long a `retry_` may wait before a person is told, in ms. */
  readonly checkWaitMs: number;
  readonly policyOf: (seen: SeenIssue) => Policy;
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
  const starts = new Starts(swarm, context);
  const issues: IssueStep[] = [];
  let lastIntent = swarm.lastIntent;
  for (const { seen, signals, policy } of inOrder(swarm, board, context, starts.hasFreePlace)) {
    const chain = chainOf(signals, policy, (mode) => starts.mayStart(seen.issue.id, mode));
    const commands = commandsOf(swarm, seen, chain, (mode) => starts.agentFor(mode)).map((command) => {
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
  return { issues, wakeAt: starts.wakeAt };
}

interface Look {
  readonly seen: SeenIssue;
  readonly signals: Signals;
  readonly policy: Policy;
}

function inOrder(
  swarm: Swarm,
  board: readonly SeenIssue[],
  context: StepContext,
  hasFreePlace: boolean,
): Look[] {
  const whole = context.whole ?? board;
  const statuses = new Map(whole.map(({ issue, status }) => [issue.id, status]));
  const turns = iceboxTurns(iceboxIssues(swarm, whole), hasFreePlace);
  const statusOf = (issue: string) => statuses.get(issue);
  const looks = board
    .filter(({ issue }) => (swarm.issues.get(issue.id)?.openIntents ?? 0) === 0)
    .map((seen) => {
      const policy = context.policyOf(seen);
      const icebox = turns.get(seen.issue.id) ?? 'unclarified';
      const { now, checkWaitMs } = context;
      const signals = signalsOf(swarm, seen, policy, { icebox, statusOf, now, checkWaitMs });
      const { action } = decide(signals, policy);
      const { id: issue, priority, createdAt } = seen.issue;
      return { seen, signals, policy, issue, action, status: seen.status, priority, createdAt };
    });
  return looks.sort(byUrgency);
}

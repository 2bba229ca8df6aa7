/**
 * Turns one settled chain of decisions into journal events, to be appended before any command runs.
 */
import type { Command } from '../model/command.ts';
import type { EventBody } from '../model/event.ts';
import { computeSessionId, toWorkerId } from '../model/ids.ts';
import { toLifecycleState } from '../model/lifecycle.ts';
import type { DecisionChain } from '../pipeline/effects.ts';
import { createIssueRecord, type IssueRecord, type LegionState } from './state.ts';

interface NumberedCommand {
  readonly intent: number;
  readonly command: Command;
}

interface StartTarget {
  readonly legionId: string;
  readonly host: string;
}

export function buildChainEvents(
  state: LegionState,
  issue: string,
  chain: DecisionChain,
  commands: readonly NumberedCommand[],
  start: StartTarget,
): EventBody[] {
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  return [
    ...buildDecisionEvents(record, chain),
    ...buildPauseEvents(state, issue, chain),
    ...buildRoundEvents(record, chain),
    ...buildLabelEvents(record, commands),
    ...commands.flatMap((numbered) => buildIntentEvents(numbered, start)),
  ];
}

/** Skips decisions that equal the previous one, so an idle board writes nothing. */
function buildDecisionEvents(record: IssueRecord, { links }: DecisionChain): EventBody[] {
  const events: EventBody[] = [];
  let previous: { action: string; mode: string; reason: string } | undefined = record.decision;
  for (const { decision } of links) {
    const { action, mode, reason, evidence } = decision;
    if (previous?.action === action && previous.reason === reason && previous.mode === mode) continue;
    previous = decision;
    events.push({
      type: 'decision.made',
      issue: record.issue,
      decision: record.lastDecision + events.length + 1,
      action,
      mode,
      reason,
      evidence: [...evidence],
    });
  }
  return events;
}

/** Pauses a worker that reached its crash limit, together with its issue. */
function buildPauseEvents(state: LegionState, issue: string, { links }: DecisionChain): EventBody[] {
  return links.flatMap(({ decision: { reason, evidence }, refused }): EventBody[] => {
    if (reason !== 'crash_limit' || refused === undefined) return [];
    const worker = state.workers.get(toWorkerId(issue, refused));
    if (worker === undefined || toLifecycleState(worker.facts) !== 'crashed') return [];
    const { mode, attempt } = worker;
    return [{ type: 'attempt.paused', issue, mode, attempt, evidence: [...evidence] }];
  });
}

function buildRoundEvents(record: IssueRecord, { links }: DecisionChain): EventBody[] {
  const events: EventBody[] = [];
  let { generation, rounds, issue } = record;
  for (const { effects } of links) {
    if (effects.resetRounds === true) {
      generation += 1;
      rounds = {};
      events.push({ type: 'rounds.reset', issue, generation, by: 'a person’s answer' });
    }
    if (effects.round !== undefined) {
      const count = (rounds[effects.round] ?? 0) + 1;
      rounds = { ...rounds, [effects.round]: count };
      events.push({ type: 'round.counted', issue, reason: effects.round, generation, count });
    }
  }
  return events;
}

/** Marks owed label changes as settled if the same pass made writing them unnecessary. */
function buildLabelEvents(
  { issue, owed, lastOwed }: IssueRecord,
  commands: readonly NumberedCommand[],
): EventBody[] {
  const writes = commands.some(({ command }) => command.kind === 'write_issue');
  return owed.length > 0 && !writes ? [{ type: 'labels.written', issue, revision: lastOwed }] : [];
}

/**
 * Claims the attempt in the same append as its intent, so that no second writer can take the same
 * slot.
 */
function buildIntentEvents(
  { intent, command }: NumberedCommand,
  { legionId, host }: StartTarget,
): EventBody[] {
  const opened: EventBody = { type: 'intent.opened', intent, command };
  if (command.kind !== 'spawn') return [opened];
  return [opened, createDispatchEvent(command, legionId, host)];
}

export function createDispatchEvent(
  { issue, mode, attempt, version, purpose, agent, model }: Extract<Command, { kind: 'spawn' }>,
  legionId: string,
  host: string,
): EventBody {
  const session = computeSessionId(legionId, issue, mode, version);
  const agentFields = {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
  };
  return {
    type: 'attempt.dispatched',
    issue,
    mode,
    attempt,
    session,
    version,
    host,
    purpose,
    ...agentFields,
  };
}

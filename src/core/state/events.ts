/** What one settled chain of decisions adds to the journal, before anything of it is carried out. */

import { lifecycleOf } from '../../domain/lifecycle.ts';
import type { Chain } from '../../swarm/chain.ts';
import type { Command } from '../model/command.ts';
import type { EventBody } from '../model/event.ts';
import { sessionId, workerId } from '../model/ids.ts';
import { type IssueRecord, newIssueRecord, type Swarm } from './state.ts';

interface Numbered {
  readonly intent: number;
  readonly command: Command;
}

interface Start {
  readonly legionId: string;
  readonly host: string;
}

export function eventsOf(
  swarm: Swarm,
  issue: string,
  chain: Chain,
  commands: readonly Numbered[],
  start: Start,
): EventBody[] {
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  return [
    ...decisionEvents(record, chain),
    ...pauseEvents(swarm, issue, chain),
    ...roundEvents(record, chain),
    ...labelEvents(record, commands),
    ...commands.flatMap((numbered) => intentEvents(numbered, start)),
  ];
}

/** Decisions that say what was said before are not written again: a quiet board writes nothing. */
function decisionEvents(record: IssueRecord, { links }: Chain): EventBody[] {
  const events: EventBody[] = [];
  let told: { action: string; mode: string; reason: string } | undefined = record.decision;
  for (const { decision } of links) {
    const { action, mode, reason, evidence } = decision;
    if (told?.action === action && told.reason === reason && told.mode === mode) continue;
    told = decision;
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

/** A worker that has crashed as often as allowed is paused together with its issue. */
function pauseEvents(swarm: Swarm, issue: string, { links }: Chain): EventBody[] {
  return links.flatMap(({ decision: { reason, evidence }, refused }): EventBody[] => {
    if (reason !== 'crash_limit' || refused === undefined) return [];
    const worker = swarm.workers.get(workerId(issue, refused));
    if (worker === undefined || lifecycleOf(worker.facts) !== 'crashed') return [];
    const { mode, attempt } = worker;
    return [{ type: 'attempt.paused', issue, mode, attempt, evidence: [...evidence] }];
  });
}

function roundEvents(record: IssueRecord, { links }: Chain): EventBody[] {
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

/** Labels that were owed and that the same pass made needless are settled without a write. */
function labelEvents({ issue, owed, lastOwed }: IssueRecord, commands: readonly Numbered[]): EventBody[] {
  const writes = commands.some(({ command }) => command.kind === 'write_issue');
  return owed.length > 0 && !writes ? [{ type: 'labels.written', issue, revision: lastOwed }] : [];
}

/** The attempt is claimed in the same append as its intent: no second writer can take the same place. */
function intentEvents({ intent, command }: Numbered, { legionId, host }: Start): EventBody[] {
  const opened: EventBody = { type: 'intent.opened', intent, command };
  if (command.kind !== 'spawn') return [opened];
  return [opened, dispatched(command, legionId, host)];
}

export function dispatched(
  { issue, mode, attempt, version, purpose, agent, model }: Extract<Command, { kind: 'spawn' }>,
  legionId: string,
  host: string,
): EventBody {
  const session = sessionId(legionId, issue, mode, version);
  const who = { ...(agent === undefined ? {} : { agent }), ...(model === undefined ? {} : { model }) };
  return { type: 'attempt.dispatched', issue, mode, attempt, session, version, host, purpose, ...who };
}

/** Carries decisions on one issue through in thought until it settles, so that a whole phase costs one write. */
import { kindOf } from '../domain/action.ts';
import type { Decision } from '../domain/decision.ts';
import { applyLabelChange } from '../domain/label.ts';
import type { RoundReason } from '../domain/rounds.ts';
import type { Signals } from '../domain/signals.ts';
import { decide } from '../pipeline/decide.ts';
import { type Effects, effectsOf } from '../pipeline/effects.ts';
import type { Policy } from '../pipeline/policy.ts';
import { verdict } from '../pipeline/verdict.ts';
import type { Room } from './room.ts';

/** A test shows that no chain is longer than 8; a longer one is cut here and goes on with the next look. */
const MOST_DECISIONS = 10;

export interface Link {
  readonly decision: Decision;
  readonly effects: Effects;
}

export interface Chain {
  readonly links: readonly Link[];
  /** The issue as it will be once everything is written. */
  readonly after: Signals;
}

export function chainOf(signals: Signals, policy: Policy, room: Room): Chain {
  const links: Link[] = [];
  let after = signals;
  while (links.length < MOST_DECISIONS) {
    const link = nextLink(after, policy, room);
    links.push(link);
    after = carriedOut(after, link.effects);
    if (settles(link)) break;
  }
  return { links, after };
}

function nextLink(signals: Signals, policy: Policy, room: Room): Link {
  const decision = decide(signals, policy);
  const effects = effectsOf(decision, signals);
  const refusal = effects.spawn === undefined ? undefined : room.take(effects.spawn.mode);
  if (refusal === undefined) return { decision, effects };
  const waits = verdict(signals, 'skip', refusal, `would=${decision.action}`);
  return { decision: waits, effects: effectsOf(waits, signals) };
}

/** Beyond these nothing can be foreseen: a worker, the forge or a person has to do something first. */
function settles({ decision, effects }: Link): boolean {
  const kind = kindOf(decision.action);
  return kind === 'skip' || kind === 'retry' || effects.spawn !== undefined || effects.rereadForge === true;
}

function carriedOut(signals: Signals, effects: Effects): Signals {
  const { spawn, round } = effects;
  const rounds = effects.resetRounds === true ? {} : signals.rounds;
  return {
    ...signals,
    status: effects.moveTo ?? signals.status,
    labels: applyLabelChange(signals.labels, effects),
    workers: spawn === undefined ? signals.workers : { ...signals.workers, [spawn.mode]: 'spawned' },
    rounds: round === undefined ? rounds : countedUp(rounds, round),
  };
}

function countedUp(rounds: Signals['rounds'], round: RoundReason): Signals['rounds'] {
  return { ...rounds, [round]: (rounds[round] ?? 0) + 1 };
}

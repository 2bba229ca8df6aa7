/** Carries decisions on one issue through in thought until it settles, so that a whole phase costs one write. */
import { kindOf } from '../core/model/action.ts';
import type { Signals } from '../core/model/signals.ts';
import { type Effects, effectsOf } from '../core/pipeline/effects.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import type { ReasonCode, StopReason } from '../core/pipeline/reasons.ts';
import type { Decision } from '../domain/decision.ts';
import { applyLabelChange } from '../domain/label.ts';
import type { Mode } from '../domain/mode.ts';
import type { RoundReason } from '../domain/rounds.ts';
import { decide } from '../pipeline/decide.ts';
import { verdict } from '../pipeline/verdict.ts';

/** A test shows that no chain is longer than 8; a longer one is cut here and goes on with the next look. */
const MOST_DECISIONS = 10;

export interface Link {
  readonly decision: Decision;
  readonly effects: Effects;
  /** The worker that was due and may not start. */
  readonly refused?: Mode;
}

export interface Chain {
  readonly links: readonly [Link, ...Link[]];
  /** The issue as it will be once everything is written. */
  readonly after: Signals;
}

/** Why a worker may not start now, and what that makes of the decision. */
export type Refusal =
  | { readonly action: 'skip'; readonly reason: ReasonCode; readonly fact: string }
  | { readonly action: 'add_legion_paused'; readonly reason: StopReason; readonly fact: string };

/** Asked once for each worker that is to start; an answer of undefined has taken its place. */
export type MayStart = (mode: Mode) => Refusal | undefined;

/** Begins with `due`, the decision on `signals`. */
export function chainOf(due: Decision, signals: Signals, policy: Policy, mayStart: MayStart): Chain {
  const first = linkOf(due, signals, mayStart);
  const links: [Link, ...Link[]] = [first];
  let link = first;
  let after = carriedOut(signals, link.effects);
  while (!settles(link) && links.length < MOST_DECISIONS) {
    link = linkOf(decide(after, policy), after, mayStart);
    links.push(link);
    after = carriedOut(after, link.effects);
  }
  return { links, after };
}

/** One decision, or what stands in its way. */
export function linkOf(decision: Decision, signals: Signals, mayStart: MayStart): Link {
  const effects = effectsOf(decision, signals);
  const refused = effects.spawn?.mode;
  const refusal = refused === undefined ? undefined : mayStart(refused);
  if (refused === undefined || refusal === undefined) return { decision, effects };
  const { action, reason, fact } = refusal;
  const waits = verdict(signals, action, reason, `would=${decision.action}`, fact);
  return { decision: waits, effects: effectsOf(waits, signals), refused };
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

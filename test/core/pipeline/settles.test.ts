import { expect, test } from 'vitest';
import { type Decision, getActionKind } from '../../../src/core/model/action.ts';
import type { LifecycleState } from '../../../src/core/model/lifecycle.ts';
import type { Mode, RoundReason } from '../../../src/core/model/mode.ts';
import type { IssueSignals } from '../../../src/core/model/signals.ts';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { computeEffects, type DecisionEffects } from '../../../src/core/pipeline/effects.ts';
import { SEED } from '../../ports/host/random.ts';
import { chooseByEffort } from '../../support/effort.ts';
import { type Choose, explore } from './explore.ts';
import { chosenPolicy, chosenSignals } from './inputs.ts';

/** More steps than any chain of decisions needs while nothing external changes. */
const MOST_STEPS = 8;

/**
 * The whole search takes about 15 s on an idle core. The timeout allows far more for a busy
 * machine.
 */
const SEARCH_TIMEOUT_MS = chooseByEffort(30_000, 300_000);
/** Thins out choices so that about a tenth of the paths remain. */
const THINNED_SHARE = 0.2;

test(
  `from every input, applying decisions ends in a wait that states its end condition, without repeating a state (LEGION_SEED=${SEED})`,
  () => {
    const search = (choose: Choose) => {
      const policy = chosenPolicy(choose);
      const world = new StillWorld(chosenSignals(choose));
      const story: Decision[] = [];
      for (;;) {
        const decision = decide(world.signals, policy);
        story.push(decision);
        if (settled(decision)) {
          if (decision.until.what === '') expect.fail(`waits for nothing: ${told(story)}`);
          return;
        }
        if (story.length > MOST_STEPS) expect.fail(`never settles: ${told(story)}`);
        const effects = computeEffects(decision, world.signals);
        if (!world.apply(effects)) expect.fail(`suggests an action that changes nothing: ${told(story)}`);
        if (effects.spawn !== undefined) expectWorkerAtIt(world, policy, story);
      }
    };
    const { covered } = explore(search, chooseByEffort({ share: THINNED_SHARE, seed: SEED }, undefined));
    expect(covered).toBeCloseTo(1, 9);
  },
  SEARCH_TIMEOUT_MS,
);

/** Expects that starting a worker is followed by no further action, whatever led to the start. */
function expectWorkerAtIt(
  world: StillWorld,
  policy: Parameters<typeof decide>[1],
  story: readonly Decision[],
): void {
  const next = decide(world.signals, policy);
  if (next.action !== 'skip') {
    expect.fail(`${told(story)} spawned a worker, then ${next.action} (${next.reason})`);
  }
}

function told(story: readonly Decision[]): string {
  return story.map(({ action, reason, evidence }) => `${evidence[0]}: ${action} (${reason})`).join(' → ');
}

function settled({ action }: Decision): boolean {
  const kind = getActionKind(action);
  return kind === 'skip' || kind === 'retry';
}

/** A world in which only Legion acts. */
class StillWorld {
  readonly #begun: IssueSignals;
  #status: ObservedStatus | undefined;
  readonly #labels = new Map<string, boolean>();
  readonly #workers: Partial<Record<Mode, LifecycleState>> = {};
  readonly #rounds = new Map<RoundReason, number>();

  /** The current input of `decide`. */
  signals: IssueSignals;

  constructor(begun: IssueSignals) {
    this.#begun = begun;
    this.signals = begun;
  }

  #look(): IssueSignals {
    const begun = this.#begun;
    return Object.create(begun, {
      status: { get: () => this.#status ?? begun.status },
      labels: { value: { has: (label: string) => this.#labels.get(label) ?? begun.labels.has(label) } },
      workers: { value: over(begun.workers, this.#workers) },
      rounds: { value: over(begun.rounds, Object.fromEntries(this.#rounds)) },
    });
  }

  /** Returns whether anything changed. */
  apply(effects: DecisionEffects): boolean {
    const { signals } = this;
    // The parts are evaluated lazily and in order, because a part that is not read is not varied
    // either.
    const changed =
      effects.spawn !== undefined ||
      effects.round !== undefined ||
      (effects.moveTo !== undefined && effects.moveTo !== signals.status) ||
      effects.add.some((label) => !signals.labels.has(label)) ||
      effects.remove.some((label) => signals.labels.has(label));
    if (effects.round !== undefined) {
      this.#rounds.set(effects.round, (signals.rounds[effects.round] ?? 0) + 1);
    }
    if (effects.moveTo !== undefined) this.#status = effects.moveTo;
    for (const label of effects.add) this.#labels.set(label, true);
    for (const label of effects.remove) this.#labels.set(label, false);
    if (effects.spawn !== undefined) this.#workers[effects.spawn.mode] = 'spawned';
    this.signals = this.#look();
    return changed;
  }
}

/** Returns `base` with `changes` on top, without reading any part of `base`. */
function over(base: object, changes: object): object {
  const layer = Object.create(base);
  for (const [name, value] of Object.entries(changes)) Object.defineProperty(layer, name, { value });
  return layer;
}

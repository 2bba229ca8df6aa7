import { expect, test } from 'vitest';
import { kindOf } from '../../../src/core/model/action.ts';
import type { Signals } from '../../../src/core/model/signals.ts';
import type { SeenStatus } from '../../../src/core/model/status.ts';
import { type Effects, effectsOf } from '../../../src/core/pipeline/effects.ts';
import type { Decision } from '../../../src/domain/decision.ts';
import type { LifecycleState } from '../../../src/domain/lifecycle.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import type { RoundReason } from '../../../src/domain/rounds.ts';
import { decide } from '../../../src/pipeline/decide.ts';
import { SEED } from '../../ports/host/random.ts';
import { effort } from '../../support/effort.ts';
import { type Choose, explore } from './explore.ts';
import { chosenPolicy, chosenSignals } from './inputs.ts';

/** More steps than any chain of decisions needs while nothing outside changes. */
const MOST_STEPS = 8;

/** The whole search takes about 15 s alone on a core; a busy machine gets many times that. */
const SEARCH_TIMEOUT_MS = effort(30_000, 300_000);
/** Leaves about a tenth of the paths. */
const THINNED_SHARE = 0.2;

test(
  `from every input, carrying decisions out settles in a state that names what ends it, and repeats nothing (LEGION_SEED=${SEED})`,
  () => {
    const search = (choose: Choose) => {
      const policy = chosenPolicy(choose);
      const world = new StillWorld(chosenSignals(choose));
      const story: Decision[] = [];
      for (;;) {
        const decision = decide(world.signals, policy);
        story.push(decision);
        if (settled(decision)) {
          if (decision.until.what === '') expect.fail(`waits on nothing: ${told(story)}`);
          return;
        }
        if (story.length > MOST_STEPS) expect.fail(`never settles: ${told(story)}`);
        const effects = effectsOf(decision, world.signals);
        if (!world.apply(effects)) expect.fail(`suggests what changes nothing: ${told(story)}`);
        if (effects.spawn !== undefined) expectWorkerAtIt(world, policy, story);
      }
    };
    const { covered } = explore(search, effort({ share: THINNED_SHARE, seed: SEED }, undefined));
    expect(covered).toBeCloseTo(1, 9);
  },
  SEARCH_TIMEOUT_MS,
);

/** A spawned worker is always left to its work, whatever led to it. */
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
  const kind = kindOf(action);
  return kind === 'skip' || kind === 'retry';
}

/** A world in which nothing happens but what Legion itself does. */
class StillWorld {
  readonly #begun: Signals;
  #status: SeenStatus | undefined;
  readonly #labels = new Map<string, boolean>();
  readonly #workers: Partial<Record<Mode, LifecycleState>> = {};
  readonly #rounds = new Map<RoundReason, number>();

  /** What decide sees now. */
  signals: Signals;

  constructor(begun: Signals) {
    this.#begun = begun;
    this.signals = begun;
  }

  #look(): Signals {
    const begun = this.#begun;
    return Object.create(begun, {
      status: { get: () => this.#status ?? begun.status },
      labels: { value: { has: (label: string) => this.#labels.get(label) ?? begun.labels.has(label) } },
      workers: { value: over(begun.workers, this.#workers) },
      rounds: { value: over(begun.rounds, Object.fromEntries(this.#rounds)) },
    });
  }

  /** Whether anything changed at all. */
  apply(effects: Effects): boolean {
    const { signals } = this;
    // Lazily, one after the other: what need not be read is not varied either.
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

/** `changes` laid over `base` without reading it. */
function over(base: object, changes: object): object {
  const layer = Object.create(base);
  for (const [name, value] of Object.entries(changes)) Object.defineProperty(layer, name, { value });
  return layer;
}

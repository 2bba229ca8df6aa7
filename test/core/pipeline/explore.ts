/**
 * Runs a function for every distinguishable input: parts of the input that the function never reads
 * are never varied.
 */
import { randomFrom } from '../../ports/host/random.ts';

export type Choose = <T>(name: string, options: readonly T[]) => T;

interface Choice {
  readonly name: string;
  /** Number of options that are tried. */
  readonly size: number;
  index: number;
  /** The only option that is tried. Set only if thinning reduced this choice to one option. */
  readonly only?: number;
}

export interface Thinning {
  /** Share of choices for which only one option is tried and represents all others. */
  readonly share: number;
  readonly seed: number;
}

export interface Exploration {
  readonly paths: number;
  /** Share of all inputs that the paths cover. At 1, every input is covered exactly once. */
  readonly covered: number;
  /** Number of different inputs covered. */
  readonly inputs: number;
}

/**
 * Runs `body`, which gets each part of its input from `choose`. The first `choose` call for a name
 * picks an option, and later calls in the same run return the same option. Runs repeat until every
 * combination of options that `body` asks for has been tried. Inputs that differ only in parts that
 * `body` never reads take the same path, so the paths cover the whole input space. With `thinning`,
 * a random sample of the paths represents all of them.
 */
export function explore(body: (choose: Choose) => void, thinning?: Thinning): Exploration {
  const random = randomFrom(thinning?.seed ?? 0);
  const pick = (name: string, size: number): Choice =>
    thinning !== undefined && random() < thinning.share
      ? { name, size: 1, index: 0, only: Math.floor(random() * size) }
      : { name, size, index: 0 };
  const trail: Choice[] = [];
  const sizes = new Map<string, number>();
  let covered = 0;
  for (let paths = 1; ; paths += 1) {
    const chosen = new Map<string, unknown>();
    let depth = 0;
    const choose = <T>(name: string, options: readonly T[]): T => {
      if (chosen.has(name)) return chosen.get(name) as T;
      if (depth === trail.length) trail.push(pick(name, options.length));
      const choice = trail[depth];
      depth += 1;
      if (choice?.name !== name)
        throw new Error(`read ${name}, but an earlier run read ${choice?.name} at this point`);
      const option = options[choice.only ?? choice.index] as T;
      chosen.set(name, option);
      sizes.set(name, options.length);
      return option;
    };
    body(choose);
    covered += trail.reduce((share, { size }) => share / size, 1);
    while (trail.length > 0 && isLast(trail.at(-1))) trail.pop();
    const last = trail.at(-1);
    if (last === undefined) return { paths, covered, inputs: [...sizes.values()].reduce((a, b) => a * b, 1) };
    last.index += 1;
  }
}

function isLast(choice: Choice | undefined): boolean {
  return choice !== undefined && choice.index === choice.size - 1;
}

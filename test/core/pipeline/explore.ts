/** Runs a function for every input it can tell apart: what it never reads is never varied. */
import { randomFrom } from '../../ports/host/random.ts';

export type Choose = <T>(name: string, options: readonly T[]) => T;

interface Choice {
  readonly name: string;
  /** How many options are tried. */
  readonly size: number;
  index: number;
  /** The only option that is tried, where the choice was thinned out. */
  readonly only?: number;
}

export interface Thinning {
  /** The share of choices of which one option stands for all. */
  readonly share: number;
  readonly seed: number;
}

export interface Exploration {
  readonly paths: number;
  /** The share of all inputs that the paths stand for; 1 is all of them, none twice. */
  readonly covered: number;
  /** How many different inputs that is. */
  readonly inputs: number;
}

/**
 * `body` takes each part of its input through `choose`. The first read of a name picks an option, later reads in the same
 * execution see the same one, and executions go on until every combination of options that was ever read has been tried.
 * Inputs that differ only in parts that were not read take the same path, so the paths cover the whole input space.
 * With `thinning` a random part of the paths stands for all of them.
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
      if (choice?.name !== name) throw new Error(`read ${name} where ${choice?.name} was read before`);
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

/** People outside of Legion who push to the base every few minutes: mostly beside the work of the issues, sometimes into it. */
import type { Kind } from './calm.ts';
import type { Earth } from './world.ts';

const MINUTE_MS = 60_000;
const PUSH_LEAST_MS = 2 * MINUTE_MS;
const PUSH_MOST_MS = 8 * MINUTE_MS;
/** Files of theirs that no issue touches. */
const OTHER_FILES = 20;

/** A file that more than one issue may change. */
export const SHARED_FILE = 'src/shared.ts';

export function fileOf(issue: string): string {
  return `src/${issue}.ts`;
}

/** They never stop. What is left out is drawn all the same, so that everything else happens as it did. */
export async function moveBase(earth: Earth, without: ReadonlySet<Kind>): Promise<never> {
  const { time, random, faults, rules, code, board } = earth;
  for (;;) {
    await time.sleep(random.between(PUSH_LEAST_MS, PUSH_MOST_MS));
    const mine = [SHARED_FILE, ...[...board.cards.keys()].map(fileOf)] as const;
    const [ours, theirs] = [random.pick(mine), `others/${random.between(1, OTHER_FILES)}.ts`];
    const file = faults.comes('overlapping', 'base overlaps') ? ours : theirs;
    if (without.has('moving base')) continue;
    code.land(code.commit(code.base, [file]));
    rules.struck('base moved');
    rules.tell(`somebody changes ${file} on the base`);
  }
}

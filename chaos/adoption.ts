/** Whether a new daemon knows the workers that outlived the one before. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from '../bench/support/operator.ts';
import { isStill, type SeenWorker } from './processes.ts';

/**
 * One whose start the dead daemon had not written down is found when that start is tried again, after those before it in the
 * queue; nobody is started beside it meanwhile.
 */
const KNOWN_WITHIN_MS = 5_000;
const LOOK_MS = 100;

export interface Adoption {
  readonly adopted: number;
  readonly unadopted: readonly string[];
}

/** `before`: those that were there when the daemon was killed. Who ends meanwhile needs nobody any more. */
export async function adoption(ask: Ask, before: readonly SeenWorker[]): Promise<Adoption> {
  const until = performance.now() + KNOWN_WITHIN_MS;
  let adopted = 0;
  let unknown = before;
  for (;;) {
    const shown = (await (await ask('GET', '/workers')).json()) as { readonly pid: number | null }[];
    const known = new Set(shown.map(({ pid }) => pid));
    const here = unknown.filter(isStill);
    adopted += here.filter(({ pid }) => known.has(pid)).length;
    unknown = here.filter(({ pid }) => !known.has(pid));
    if (unknown.length === 0 || performance.now() > until) break;
    await sleep(LOOK_MS);
  }
  return {
    adopted,
    unadopted: unknown.map(
      ({ pid, worker, attempt }) => `${worker}/${attempt}, process ${pid}, is known to nobody`,
    ),
  };
}

/** Checks whether a new daemon knows the workers that outlived the previous one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorRequest } from '../bench/support/operator.ts';
import { isStill, type SeenWorker } from './processes.ts';

/**
 * Time within which the new daemon must know every worker. If the killed daemon had not recorded
 * that it started a worker, the new daemon tries to start that worker again, but only after earlier
 * queued starts. It then finds the running worker and does not start a second one.
 */
const KNOWN_WITHIN_MS = 5_000;
const ADOPTION_POLL_MS = 100;

export interface AdoptionResult {
  readonly adopted: number;
  readonly unadopted: readonly string[];
}

/**
 * `before` lists the workers that were running when the daemon was killed. Those that have exited
 * since then do not have to be adopted.
 */
export async function waitForAdoption(
  ask: OperatorRequest,
  before: readonly SeenWorker[],
): Promise<AdoptionResult> {
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
    await sleep(ADOPTION_POLL_MS);
  }
  return {
    adopted,
    unadopted: unknown.map(
      ({ pid, worker, attempt }) => `${worker}/${attempt}, process ${pid}, was not adopted`,
    ),
  };
}

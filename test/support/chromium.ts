/** Provides the system's Chromium for browser tests, and detects browsers that are left running. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { processesWith } from './end-workers.ts';
import { findProgram } from './required-program.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/**
 * Maximum time for a closed browser to exit. It exits within a second, or later on a busy machine.
 */
const GONE_WITHIN_MS = 10_000;

/**
 * Undefined if no Chromium is installed. Browser tests are then skipped, and
 * `scripts/install-chromium.sh` prints a notice.
 */
export const chromiumPath = findProgram(...NAMES);

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(`None of ${NAMES.join(', ')} is on the PATH.`);
  // The sandbox needs privileges that a container's root lacks, and tests only load trusted pages.
  const args = ['--no-sandbox'];
  return chromium.launch({ executablePath: chromiumPath, args, env: { ...process.env, [MARK]: OURS } });
}

/**
 * Returns the pids of browsers that this worker started and that are still running after a short
 * grace period.
 */
export async function listRemainingChromiums(): Promise<readonly number[]> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = processesWith(`${MARK}=${OURS}`);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(50);
  }
}

/** Set in the browser's environment, so that it is recognised even after its parent has exited. */
const MARK = 'LEGION_TEST_BROWSER_OF';
const OURS = String(process.pid);

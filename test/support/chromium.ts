/** The system's Chromium for tests in a browser, and the guard that none of them is left behind. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { processesWith } from './end-workers.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** A browser that was closed is gone within a second; a busy machine takes longer. */
const GONE_WITHIN_MS = 10_000;

/** Undefined where none is installed: then tests in a browser are skipped, and `scripts/install-chromium.sh` has said so. */
export const chromiumPath = onPath(NAMES);

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(`none of ${NAMES.join(', ')} is on the PATH`);
  // Its sandbox needs rights that a container's root does not have; what is looked at here is ours.
  const args = ['--no-sandbox'];
  return chromium.launch({ executablePath: chromiumPath, args, env: { ...process.env, [MARK]: OURS } });
}

/** Those that this process of the runner has started and that still run, after a moment in which they may end. */
export async function chromiumsLeft(): Promise<readonly number[]> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = processesWith(`${MARK}=${OURS}`);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(50);
  }
}

/** In the environment of what is started, so that it is known also when its parent has died. */
const MARK = 'LEGION_TEST_BROWSER_OF';
const OURS = String(process.pid);

function onPath(names: readonly string[]): string | undefined {
  const { PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there
  }
}

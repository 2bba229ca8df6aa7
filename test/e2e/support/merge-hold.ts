/**
 * Pauses a real merge in the middle. After the base has moved, git waits in a filter while it
 * updates the person's checkout.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import type { TestDaemon } from './legion.ts';

/** Files of the first commit, which make git check out `*.held` files through the filter. */
export const HELD_FILES = { '.gitattributes': '*.held filter=held\n' };

export interface MergeHold {
  /** Makes git wait from now on when it checks out a held file. */
  hold(): void;
  untilHeld(): Promise<void>;
  release(): void;
}

export async function installMergeHold({ legion: { folder, repository } }: TestDaemon): Promise<MergeHold> {
  const [holding, held] = [join(folder, 'hold-merge'), join(folder, 'merge-is-held')];
  const wait = `while [ -e '${holding}' ]; do touch '${held}'; sleep 0.05; done; cat`;
  await git(repository, 'config', 'filter.held.smudge', `sh -c "${wait}"`);
  return {
    hold: () => writeFileSync(holding, ''),
    untilHeld: async () => {
      await until(
        async () => existsSync(held),
        (isThere) => isThere,
        60_000,
      );
    },
    release: () => rmSync(holding, { force: true }),
  };
}

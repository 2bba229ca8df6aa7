/** Stops a real merge in the middle: git waits in a filter of the person's checkout, after the base has moved. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import type { Life } from './legion.ts';

/** Files of the first commit: what is called `*.held` comes into a checkout through the filter. */
export const HELD_FILES = { '.gitattributes': '*.held filter=held\n' };

export interface HeldMerges {
  /** From now on git waits where it brings a held file into a checkout. */
  hold(): void;
  untilHeld(): Promise<void>;
  release(): void;
}

export async function heldMerges({ legion: { folder, repository } }: Life): Promise<HeldMerges> {
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

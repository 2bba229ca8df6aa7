/** A clean checkout of one commit for CI, and its removal, also after a crash. */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOutSubmodules } from '../../../git/submodules.ts';
import { identifyThisProcess, judgeProcess, thisMachine } from '../../../lib/process/identity.ts';
import type { Repository } from '../../forge-support/repository.ts';

/** A process that CI left behind may still write into the folder while it is removed. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const;

/** Whose it is stands in the name: another process's checkouts are in use. */
const NAME = /^[0-9a-f]{12}@(\d+)@([^@]*)@/;

/** What a checkout needs of the repository whose objects it borrows. */
export type CheckedOutRepository = Pick<Repository, 'gitDir' | 'objectFormat' | 'runIn'>;

export interface Checkouts {
  /** Makes the checkout, lends it to `use` and removes it, whatever happens. */
  lend<T>(sha: string, use: (folder: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Removes what dead processes left. */
  sweep(): Promise<void>;
}

/**
 * A repository of its own that borrows the objects of the real one: not a work tree, because CI runs code of a branch, which
 * must not be able to move the repository's branches; and not `git archive`, which leaves out what is marked `export-ignore`.
 * A new one for each run, because that code could leave settings or hooks behind for the next.
 */
export function checkouts(repository: CheckedOutRepository, root: string): Checkouts {
  let learned: Promise<EmptyRepository> | undefined;

  /** Asked of git once: making the same few files again needs no process. */
  function emptyRepository(): Promise<EmptyRepository> {
    learned ??= learnEmptyRepository(repository, join(root, nameFor(NO_COMMIT))).catch((error: unknown) => {
      learned = undefined;
      throw error;
    });
    return learned;
  }

  async function make(sha: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
    const { head, config } = await emptyRepository();
    const gitDir = join(folder, '.git');
    const info = join(gitDir, 'objects', 'info');
    await mkdir(info, { recursive: true });
    await mkdir(join(gitDir, 'refs'));
    await Promise.all([
      writeFile(join(gitDir, 'HEAD'), head),
      writeFile(join(gitDir, 'config'), config),
      writeFile(join(info, 'alternates'), `${join(repository.gitDir, 'objects')}\n`),
    ]);
    await repository.runIn(folder, ['checkout', '--quiet', '--detach', sha], { signal });
    await checkOutSubmodules(
      { answer: repository.runIn },
      { folder, repository: repository.gitDir, call: { signal } },
    );
  }

  return {
    async lend(sha, use, signal) {
      const folder = join(root, nameFor(sha));
      try {
        await make(sha, folder, signal);
        return await use(folder);
      } finally {
        await rm(folder, REMOVAL).catch(() => {}); // swept at the next opening
      }
    },
    async sweep() {
      for (const name of await readdir(root)) {
        const [, pid, started = ''] = NAME.exec(name) ?? [];
        if (pid === undefined) continue;
        const owner = {
          machine: thisMachine(),
          pid: Number(pid),
          started: started.replace(/-(?=\d+$)/, '/'),
        };
        if (judgeProcess(owner) !== 'dead') continue;
        await rm(join(root, name), REMOVAL).catch(() => {});
      }
    },
  };
}

const NO_COMMIT = '0'.repeat(12);

function nameFor(sha: string): string {
  const { pid, started } = identifyThisProcess();
  return `${sha.slice(0, 12)}@${pid}@${started.replace('/', '-')}@${randomUUID().slice(0, 8)}`;
}

interface EmptyRepository {
  readonly head: string;
  readonly config: string;
}

async function learnEmptyRepository(
  { objectFormat, runIn }: CheckedOutRepository,
  folder: string,
): Promise<EmptyRepository> {
  try {
    const format = `--object-format=${objectFormat}`;
    await runIn(dirname(folder), ['init', '--quiet', '--template=', format, '--', folder]);
    const read = (name: string) => readFile(join(folder, '.git', name), 'utf8');
    return { head: await read('HEAD'), config: await read('config') };
  } finally {
    await rm(folder, REMOVAL).catch(() => {});
  }
}

/**
 * Creates a clean checkout of one commit for CI and removes it afterwards. Also removes checkouts
 * left by a crash.
 */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOutSubmodules } from '../../../git/submodules.ts';
import { identifyThisMachine, identifyThisProcess, judgeProcess } from '../../../lib/process/proc-table.ts';
import type { GitRepository } from '../../forge-support/repository.ts';

/**
 * Retries the removal, because a process that CI left behind may still write into the directory.
 */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const;

/**
 * Name of a checkout's directory. It identifies the owning process, because the checkouts of
 * another live process are in use.
 */
const NAME = /^[0-9a-f]{12}@(\d+)@([^@]*)@/;

/**
 * The parts of the repository that a checkout needs in order to borrow the repository's objects.
 */
export type CheckedOutRepository = Pick<GitRepository, 'gitDir' | 'objectFormat' | 'runIn'>;

export interface CiCheckouts {
  /** Creates the checkout, passes it to `use` and always removes it. */
  withCheckout<T>(sha: string, use: (folder: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Removes checkouts of dead processes. */
  sweep(): Promise<void>;
}

/**
 * Each checkout is a separate repository that borrows the objects of the real one. A work tree
 * would be unsafe: CI runs a branch's code, which could move the repository's branches from a work
 * tree. `git archive` would omit files marked `export-ignore`. Each run gets a new checkout,
 * because the branch's code could leave settings or hooks for the next run.
 */
export function createCheckouts(repository: CheckedOutRepository, root: string): CiCheckouts {
  let cached: Promise<EmptyRepository> | undefined;

  /**
   * Runs git only once, to create an empty repository. Each checkout then gets copies of that
   * repository's few files.
   */
  function getEmptyRepository(): Promise<EmptyRepository> {
    cached ??= readEmptyRepository(repository, join(root, buildCheckoutName(NO_COMMIT))).catch(
      (error: unknown) => {
        cached = undefined;
        throw error;
      },
    );
    return cached;
  }

  async function create(sha: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
    const { head, config } = await getEmptyRepository();
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
    async withCheckout(sha, use, signal) {
      const folder = join(root, buildCheckoutName(sha));
      try {
        await create(sha, folder, signal);
        return await use(folder);
      } finally {
        await rm(folder, REMOVAL).catch(() => {}); // removed when the forge is opened next
      }
    },
    async sweep() {
      for (const name of await readdir(root)) {
        const [, pid, started = ''] = NAME.exec(name) ?? [];
        if (pid === undefined) continue;
        const owner = {
          machine: identifyThisMachine(),
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

function buildCheckoutName(sha: string): string {
  const { pid, started } = identifyThisProcess();
  return `${sha.slice(0, 12)}@${pid}@${started.replace('/', '-')}@${randomUUID().slice(0, 8)}`;
}

interface EmptyRepository {
  readonly head: string;
  readonly config: string;
}

async function readEmptyRepository(
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

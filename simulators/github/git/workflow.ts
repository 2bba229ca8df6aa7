/** Runs what a repository checks each push with: a real command in a clean checkout, as a workflow of GitHub Actions would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { recordCheckRun } from '../model/checks.ts';
import type { Repository } from '../model/nodes.ts';
import type { World } from '../model/world.ts';
import { git } from './run-git.ts';

const GONE = /^0+$/;

export class Workflows {
  readonly #world: World;
  readonly #folder: string;
  readonly #children = new Set<ChildProcess>();
  #closed = false;
  /** One after another: many branches are pushed at once, and the machine is small. */
  #last: Promise<void> = Promise.resolve();

  constructor(world: World, folder: string) {
    this.#world = world;
    this.#folder = folder;
    world.onChange((change) => {
      if (change.event !== 'push' || GONE.test(change.after) || this.#closed) return;
      for (const workflow of change.repository.workflows)
        this.#start(change.repository, change.after, workflow);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const child of this.#children) endGroup(child);
    await this.#last;
  }

  #start(repository: Repository, sha: string, { check, argv }: Repository['workflows'][number]): void {
    recordCheckRun(this.#world, repository, sha, { name: check, conclusion: null, log: '' });
    this.#last = this.#last.then(async () => {
      if (this.#closed) return;
      const { code, log } = await this.#run(repository, sha, argv);
      if (this.#closed) return;
      const conclusion = code === 0 ? 'SUCCESS' : 'FAILURE';
      recordCheckRun(this.#world, repository, sha, { name: check, conclusion, log });
    });
  }

  async #run(
    repository: Repository,
    sha: string,
    argv: readonly string[],
  ): Promise<{ code: number; log: string }> {
    const checkout = mkdtempSync(join(this.#folder, 'checkout-'));
    try {
      await git(checkout, ['clone', '--quiet', '--shared', '--no-checkout', repository.folder, '.']);
      await git(checkout, ['checkout', '--quiet', '--detach', sha]);
      const [command = '', ...args] = argv;
      // A group of its own, so that closing ends what the command has started too.
      const child = spawn(command, args, {
        cwd: checkout,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      this.#children.add(child);
      const ended = new Promise<number>((resolve) => {
        child.once('error', () => resolve(127));
        child.once('close', (code) => resolve(code ?? 1));
      });
      const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
      this.#children.delete(child);
      return { code, log: `${out}${err}` };
    } catch (error) {
      return { code: 1, log: String(error) };
    } finally {
      rmSync(checkout, { recursive: true, force: true });
    }
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // it ended by itself in between
  }
}

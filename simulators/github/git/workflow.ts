/**
 * Checks each push with the repository's command in a clean checkout, as a GitHub Actions workflow
 * would.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { recordCheckRun } from '../model/checks.ts';
import type { Repository } from '../model/nodes.ts';
import type { GithubWorld } from '../model/world.ts';
import { runGit } from './run-git.ts';

const GONE = /^0+$/;

export class WorkflowRunner {
  readonly #world: GithubWorld;
  readonly #folder: string;
  readonly #children = new Set<ChildProcess>();
  #closed = false;
  /**
   * The last queued check. Checks run one after another, because many branches are pushed at once
   * and the machine may be small.
   */
  #last: Promise<void> = Promise.resolve();

  constructor(world: GithubWorld, folder: string) {
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
      await runGit(checkout, ['clone', '--quiet', '--shared', '--no-checkout', repository.folder, '.']);
      await runGit(checkout, ['checkout', '--quiet', '--detach', sha]);
      const [command = '', ...args] = argv;
      // Runs in its own process group, so that closing also kills the command's children.
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
    // The process has already exited.
  }
}

/** Runs git: by argument list, in an environment of our own making, bounded, with faults in git's own words. */
import { gitStart, type Surroundings } from './environment.ts';
import { gitFault } from './errors.ts';
import { runGitProcess } from './process.ts';

/** A checkout of a very large repository on a slow disk takes minutes; what takes longer than this hangs. */
const GIT_TIMEOUT_MS = 300_000;

export interface Git {
  /** What git printed; any other exit status than 0 is a fault. */
  run(folder: string, args: readonly string[]): Promise<string>;
  /** For commands that say "no" by exit status 1: `undefined` then. */
  ask(folder: string, args: readonly string[]): Promise<string | undefined>;
  /** For everything else. */
  answer(folder: string, args: readonly string[], call?: GitCall): Promise<GitAnswer>;
}

export interface GitCall {
  /** Exit statuses besides 0 that are an answer; every other one is a fault. */
  readonly answers?: readonly number[];
  /** What git reads; nothing where it is absent. */
  readonly input?: string;
  /** Aborted, it ends git; the call then rejects with `git.interrupted`. */
  readonly signal?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Where more is printed the call rejects with `git.output_too_large`; absent, what memory can hold. */
  readonly mostBytes?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly out: string;
}

export interface GitOptions extends Surroundings {
  readonly timeoutMs?: number | undefined;
  /** A descriptor every git inherits, so that it can be seen, even after we were killed, that it still works for us. */
  readonly keepOpen?: number;
}

export function gitRunner(options: GitOptions): Git {
  const { timeoutMs = GIT_TIMEOUT_MS, keepOpen } = options;

  async function answer(folder: string, args: readonly string[], call: GitCall = {}): Promise<GitAnswer> {
    const { answers = [], input, signal, mostBytes } = call;
    const { settings, env } = gitStart(options);
    const { status, stdout, stderr } = await runGitProcess({
      ...{ settings, folder, args, timeoutMs, keepOpen, input, signal, mostBytes },
      env: { ...env, ...call.env },
    });
    if (typeof status === 'number' && [0, ...answers].includes(status)) return { code: status, out: stdout };
    throw gitFault(args, status, stderr);
  }

  return {
    answer,
    run: async (folder, args) => (await answer(folder, args)).out,
    async ask(folder, args) {
      const { code, out } = await answer(folder, args, { answers: [1] });
      return code === 0 ? out : undefined;
    },
  };
}

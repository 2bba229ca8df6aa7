/** One process of git, bounded in time and output, and ended together with all it started. */
import { LegionError } from '../core/model/fault.ts';
import { type RunResult, run } from '../lib/process/run.ts';
import { verbIn } from './errors.ts';

export interface Asked {
  readonly settings: readonly string[];
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly keepOpen: number | undefined;
  readonly input: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Bytes of output that are taken in. */
  readonly mostBytes: number | undefined;
}

/** Rejects with `git.interrupted`, `git.timeout`, `git.output_too_large` or `git.missing`. */
export async function runGitProcess(asked: Asked): Promise<RunResult> {
  const { settings, folder, args, env, timeoutMs, keepOpen, input, signal, mostBytes } = asked;
  if (signal?.aborted === true) throw fault(asked, 'git.interrupted', 'was not begun');
  const result = await run('git', [...settings, '-C', folder, ...args], {
    cwd: '/',
    env,
    timeoutMs,
    signal,
    input,
    maxOutputBytes: mostBytes,
    ownGroup: true,
    inherit: keepOpen,
  }).catch((error: NodeJS.ErrnoException) => {
    throw notStarted(error);
  });
  switch (result.stopped) {
    case 'aborted':
      throw fault(asked, 'git.interrupted', 'was stopped');
    case 'timeout':
      throw fault(asked, 'git.timeout', `took longer than ${timeoutMs} ms`);
    case 'output too large':
      throw fault(asked, 'git.output_too_large', 'printed more than fits');
    case undefined:
      return result;
  }
}

/** What is not the program's absence (too many processes, too many open files) passes. */
function notStarted(error: NodeJS.ErrnoException): LegionError {
  const code = ['ENOENT', 'EACCES'].includes(error.code ?? '') ? 'git.missing' : 'git.failed';
  return new LegionError(code, `git cannot be started: ${error.message}`, { cause: error });
}

function fault(
  { folder, args }: Asked,
  code: 'git.interrupted' | 'git.timeout' | 'git.output_too_large',
  what: string,
): LegionError {
  const named = args.find((arg) => arg.startsWith('--git-dir='))?.slice('--git-dir='.length);
  return new LegionError(code, `git ${verbIn(args)} in ${named ?? folder} ${what}`);
}

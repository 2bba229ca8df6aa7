/** Runs git: arguments as a list, a clean environment, no hooks, bounded time and output, and faults in git's own words. */
import { type ExecFileException, execFile } from 'node:child_process';
import { LegionError } from '../../domain/fault.ts';

/** The longest honest call is the fetch of a large branch from a local disk; beyond this git waits for something. */
const GIT_LIMIT_MS = 60_000;

/** A hundred thousand changed paths are about 10 MB. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Enough of git's words to act upon. */
const MOST_WORDS = 600;

/** What git needs of the environment it is given; nothing else reaches it, above all no GIT_* and no secret. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME', 'SystemRoot'];

const FIXED_ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0', // looking at a person's work tree must not get in the way of their own git
  GIT_NO_REPLACE_OBJECTS: '1', // a commit is what its SHA says
};

export const FIXED_CONFIG: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.fsync=committed', // a merge that was acknowledged survives a power cut
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting]);

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitCall {
  /** Exit codes that are an answer; every other one is a fault. */
  readonly answers?: readonly number[];
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  readonly code: number;
  readonly out: string;
}

/** Runs git with these arguments; the caller names the repository among them (`--git-dir`, `-C`). */
export type Git = (args: readonly string[], call?: GitCall) => Promise<GitAnswer>;

export function gitEnvironment(given: Environment): Record<string, string> {
  const environment: Record<string, string> = { ...FIXED_ENVIRONMENT };
  for (const name of PASSED_ON) {
    const value = given[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

export function gitWith(given: Environment): Git {
  const environment = gitEnvironment(given);
  return (args, call = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        env: { ...environment, ...call.env },
        cwd: '/',
        encoding: 'utf8' as const,
        timeout: GIT_LIMIT_MS,
        killSignal: 'SIGKILL' as const,
        maxBuffer: MOST_OUTPUT_BYTES,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      };
      const child = execFile('git', [...FIXED_CONFIG, ...args], options, (error, out, words) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number' && [0, ...(call.answers ?? [])].includes(code)) resolve({ code, out });
        else reject(toFault(error, args, words));
      });
      // git may end before it has read everything; why it did is in its exit code.
      child.stdin?.on('error', () => {});
      child.stdin?.end(call.input ?? '');
    });
}

function toFault(error: ExecFileException | null, args: readonly string[], words: string): LegionError {
  const verb = args.find((arg, index) => !arg.startsWith('-') && !/^-c$/i.test(args[index - 1] ?? '')) ?? '';
  const options = { cause: error };
  const said = (words.trim() || error?.message || 'no reason given').slice(0, MOST_WORDS);
  // As a word: `code` is typed as a number or nothing, but a failed spawn and a full buffer put a name there.
  const why = String(error?.code ?? error?.name);
  if (why === 'ENOENT') return new LegionError('git.missing', 'git was not found', options);
  if (why === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new LegionError(
      'git.output_too_large',
      `git ${verb}: more than ${MOST_OUTPUT_BYTES} bytes`,
      options,
    );
  }
  if (error?.name === 'AbortError')
    return new LegionError('git.interrupted', `git ${verb}: aborted`, options);
  if (error?.killed === true) {
    return new LegionError('git.timeout', `git ${verb}: stopped after ${GIT_LIMIT_MS} ms`, options);
  }
  if (verb === 'merge-tree' && (why === '129' || /unknown option|usage:/.test(words))) {
    return new LegionError('git.too_old', `git ${verb}: ${said}`, options);
  }
  if (/\.lock': File exists/.test(words))
    return new LegionError('git.locked', `git ${verb}: ${said}`, options);
  if (/dubious ownership/.test(words))
    return new LegionError('git.not_owned', `git ${verb}: ${said}`, options);
  return new LegionError('git.failed', `git ${verb}: ${said}`, options);
}

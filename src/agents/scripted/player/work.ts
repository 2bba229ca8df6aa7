/** Plays the steps of honest work: words, files, commands, commits. */
import { appendFile, lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { run } from '../../../lib/process/run.ts';
import type { WORK } from '../scenario/forms/work.ts';
import { complaintAboutPath, namesGitFolder } from '../scenario/relative-path.ts';
import type { StepInput } from '../scenario/step.ts';
import type { Performers } from './performers.ts';
import { speakOf } from './speak.ts';
import type { Call, Turn } from './turn.ts';

export const work: Performers<keyof typeof WORK> = {
  async say(text, turn) {
    turn.emit({ type: 'text', text });
  },
  async think(ms, { signal }) {
    await sleep(ms, undefined, { signal });
  },
  write: ({ path, content }, turn) =>
    edit(turn, 'write', path, async (file) => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }),
  append: ({ path, content }, turn) =>
    edit(turn, 'append', path, async (file) => {
      await mkdir(dirname(file), { recursive: true });
      await appendFile(file, content);
    }),
  replace: ({ path, find, with: by }, turn) =>
    edit(turn, 'replace', path, async (file) => {
      const text = await readFile(file, 'utf8');
      if (!text.includes(find))
        throw new LegionError('scenario.step_failed', `${shown(path)} does not contain ${shown(find)}`);
      // By a function, because "$&" in a replacement would mean something.
      await writeFile(
        file,
        text.replace(find, () => by),
      );
    }),
  remove: ({ path }, turn) => edit(turn, 'remove', path, (file) => rm(file, { recursive: true })),
  async run({ argv, expect, timeout }, turn) {
    await turn.tool(commandCall(argv), async () => {
      const ran = await runCommand({ ...turn, argv, cwd: turn.workspace, timeoutMs: timeout });
      if (expect !== 'any' && ran.code !== expect) throw unexpected(argv[0], ran, expect);
      return ran;
    });
  },
  async commit(input, turn) {
    await turn.tool({ tool: 'git commit' }, () => commit(input, turn));
  },
  async merge_base(input, turn) {
    await turn.tool({ tool: 'git merge' }, () => mergeBase(input, turn));
  },
  async verdict_from({ argv, suites, timeout }, turn) {
    const ran = await turn.tool(commandCall(argv), async () => {
      const ended = await runCommand({ ...turn, argv, cwd: turn.workspace, timeoutMs: timeout });
      // What could not run says nothing about the tests.
      if (ended.code === null || ended.code === 126 || ended.code === 127)
        throw unexpected(argv[0], ended, 'a verdict');
      return ended;
    });
    const result = ran.code === 0 ? 'pass' : 'fail';
    const detail = `${argv.join(' ')} ended with ${ran.code}\n${ran.tail}`;
    await speakOf(turn, 'verdict', { result, suites, detail });
  },
  async usage(used, turn) {
    const { usd, ...tokens } = used;
    turn.emit({ type: 'usage', ...tokens, ...(usd === undefined ? {} : { usd }) });
  },
  async turn(_, turn) {
    turn.emit({ type: 'turn_ended' });
  },
};

function commandCall(argv: readonly [string, ...string[]]): Call<Ran> {
  return { tool: argv[0], detail: argv.join(' '), result: ({ tail }) => tail };
}

async function edit(
  turn: Turn,
  tool: string,
  path: string,
  change: (file: string) => Promise<void>,
): Promise<void> {
  await turn.tool({ tool, detail: path }, async () => change(await placeInside(turn.workspace, path)));
}

function unexpected(program: string, { code, problem, tail }: Ran, expected: number | string): LegionError {
  const why = problem ?? `it ended with ${code}, expected ${expected}`;
  return new LegionError('scenario.step_failed', `${program}: ${why}${tail === '' ? '' : `: ${tail}`}`);
}

/** Only the real path decides: a link anywhere on the way may lead out, or to git's own folder. */
async function placeInside(workspace: string, path: string): Promise<string> {
  const complaint = complaintAboutPath(path);
  if (complaint !== undefined) throw outside(path, complaint);
  const root = await realpath(workspace);
  const real = await realPlace(join(root, path));
  if (real === undefined) throw outside(path, 'goes through a link that leads nowhere');
  const parts = relative(root, real).split(sep);
  if (parts[0] === '..' || real === root) throw outside(path, 'is really outside of the workspace');
  if (namesGitFolder(parts)) throw outside(path, 'is really in git’s own folder');
  return real;
}

/** Of what is there, and of what would be made below that; undefined for a link that leads nowhere. */
async function realPlace(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined) return realpath(path).catch(() => undefined);
  const parent = await realPlace(dirname(path));
  return parent === undefined ? undefined : join(parent, path.slice(dirname(path).length + 1));
}

function outside(path: string, why: string): LegionError {
  return new LegionError('scenario.outside', `${shown(path)} ${why}`);
}

/** A commit in a very large repository takes seconds; what takes longer than this hangs. */
const GIT_TIMEOUT_MS = 120_000;

/** A person's hooks and signatures are not for a robot; the name counts only where the environment gives none. */
const SETTINGS = [
  'user.name=legion scripted agent',
  'user.email=scripted@legion.invalid',
  'commit.gpgsign=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** The branch that work returns to, where its remote does not say. */
const USUAL_BASES: readonly string[] = ['main', 'master'];

/** Nothing to commit is no failure: a turn that is played again after a crash finds its work done. */
async function commit(input: StepInput<'commit'>, turn: Turn): Promise<void> {
  await git(turn, ['add', '--all']);
  if (input.include.length > 0) await git(turn, ['add', '--force', '--', ...input.include]);
  // Through the standard input: the title of an issue may be in it, and that belongs on no command line.
  const args = ['commit', '--quiet', '--cleanup=whitespace', '--file=-'];
  const committed = await tryGit(turn, args, input.message);
  if (committed.code === 0) return;
  if ((await tryGit(turn, ['diff', '--cached', '--quiet'])).code !== 0) throw failure(args, committed);
  turn.emit({ type: 'text', text: 'nothing to commit' });
}

/** A conflict is undone, so that the workspace is as it was. */
async function mergeBase({ ref, prefer }: StepInput<'merge_base'>, turn: Turn): Promise<void> {
  const bases = ref === undefined ? await basesOf(turn) : [ref];
  if (bases.length === 0) throw new LegionError('scenario.step_failed', 'there is no base branch to merge');
  for (const base of bases) {
    const args = ['merge', '--quiet', '--no-edit', ...(prefer === undefined ? [] : [`-X${prefer}`]), base];
    const merged = await tryGit(turn, args);
    if (merged.code === 0) continue;
    await tryGit(turn, ['merge', '--abort']);
    throw failure(args, merged);
  }
}

/** The base as it is here and as its remote has it: a local forge moves the one, a fetch the other. */
async function basesOf(turn: Turn): Promise<string[]> {
  const remote = await tryGit(turn, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const names = remote.code === 0 ? [remote.tail.replace(/^origin\//, '')] : USUAL_BASES;
  for (const name of names) {
    const found: string[] = [];
    for (const each of [`refs/heads/${name}`, `refs/remotes/origin/${name}`]) {
      if ((await tryGit(turn, ['rev-parse', '--verify', '--quiet', each])).code === 0) found.push(each);
    }
    if (found.length > 0) return found;
  }
  return [];
}

async function git(turn: Turn, args: readonly string[]): Promise<void> {
  const ran = await tryGit(turn, args);
  if (ran.code !== 0) throw failure(args, ran);
}

function tryGit({ workspace, env, signal }: Turn, args: readonly string[], input = ''): Promise<Ran> {
  return runCommand({
    argv: ['git', ...SETTINGS, ...args],
    cwd: workspace,
    env: { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' },
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
    input,
  });
}

function failure(args: readonly string[], { code, problem, tail }: Ran): LegionError {
  const why = problem ?? `it ended with ${code}`;
  return new LegionError('scenario.step_failed', `git ${args[0]}: ${why}${tail === '' ? '' : `: ${tail}`}`);
}

/** What a person reads of a failure. */
const TAIL_CHARS = 4_000;

interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly input?: string;
}

interface Ran {
  /** Null where it was ended by a signal or never began. */
  readonly code: number | null;
  /** Why there is no code. */
  readonly problem?: string;
  readonly tail: string;
}

/** In the group of the agent itself, so that whoever stops the group stops this too. Rejects once `signal` is aborted. */
async function runCommand({ argv, cwd, env, timeoutMs, signal, input = '' }: Command): Promise<Ran> {
  signal.throwIfAborted();
  const [program, ...args] = argv;
  try {
    const given = { cwd, env, timeoutMs, signal, input, tailChars: TAIL_CHARS };
    const { status, stopped, stdout } = await run(program, args, given);
    signal.throwIfAborted();
    const tail = stdout.trim();
    if (stopped !== undefined) return { code: null, problem: `it took longer than ${timeoutMs} ms`, tail };
    return typeof status === 'number'
      ? { code: status, tail }
      : { code: null, problem: `it was ended by ${status}`, tail };
  } catch (error) {
    signal.throwIfAborted();
    return { code: null, problem: error instanceof Error ? error.message : String(error), tail: '' };
  }
}

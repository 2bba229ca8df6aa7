/** Plays the steps of honest work: text, files, commands, commits. */
import { existsSync } from 'node:fs';
import { appendFile, lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { MESSAGES_VARIABLE, STOP_REQUEST_ID, toMessageFileName } from '../../../protocol/worker-message.ts';
import type { StepInput } from '../scenario/scenario.ts';
import { findPathProblem, hasGitFolder, type WORK_STEPS } from '../scenario/steps.ts';
import { runCommand, type ScriptedCommandResult } from './command.ts';
import { isJjWorkspace, runJjCommit, runJjMergeBase } from './jj.ts';
import type { ScriptedToolCall, ScriptedTurn, StepPerformers } from './turn.ts';
import { sendVerb } from './verbs.ts';

export const workPerformers: StepPerformers<keyof typeof WORK_STEPS> = {
  async say(text, turn) {
    turn.emit({ type: 'text', text });
  },
  async think(ms, { signal }) {
    await sleep(ms, undefined, { signal });
  },
  async await_stop({ working, for: ms }, turn) {
    await waitForStopRequest(turn);
    turn.emit({ type: 'heard', letter: STOP_REQUEST_ID });
    if (working !== undefined) await turn.send('status', { text: 'working', reason: working });
    await sleep(ms, undefined, { signal: turn.signal });
    return { code: 0 };
  },
  write: ({ path, content }, turn) =>
    updateFile(turn, 'write', path, async (file) => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }),
  append: ({ path, content }, turn) =>
    updateFile(turn, 'append', path, async (file) => {
      await mkdir(dirname(file), { recursive: true });
      await appendFile(file, content);
    }),
  replace: ({ path, find, with: by }, turn) =>
    updateFile(turn, 'replace', path, async (file) => {
      const text = await readFile(file, 'utf8');
      if (!text.includes(find))
        throw new LegionError(
          'scenario.step_failed',
          `${quoteText(path)} does not contain ${quoteText(find)}`,
        );
      // Passes the replacement as a function, because "$&" is special in a replacement string.
      await writeFile(
        file,
        text.replace(find, () => by),
      );
    }),
  remove: ({ path }, turn) => updateFile(turn, 'remove', path, (file) => rm(file, { recursive: true })),
  async run({ argv, expect, timeout }, turn) {
    await turn.runTool(toCommandCall(argv), async () => {
      const result = await runCommand({ ...turn, argv, cwd: turn.workspace, timeoutMs: timeout });
      if (expect !== 'any' && result.code !== expect)
        throw createUnexpectedExitError(argv[0], result, expect);
      return result;
    });
  },
  async commit(input, turn) {
    if (isJjWorkspace(turn.workspace))
      await turn.runTool({ tool: 'jj commit' }, () => runJjCommit(input, turn));
    else await turn.runTool({ tool: 'git commit' }, () => runGitCommit(input, turn));
  },
  async merge_base(input, turn) {
    if (isJjWorkspace(turn.workspace))
      await turn.runTool({ tool: 'jj rebase' }, () => runJjMergeBase(input, turn));
    else await turn.runTool({ tool: 'git merge' }, () => runGitMergeBase(input, turn));
  },
  async verdict_from({ argv, suites, timeout }, turn) {
    const ended = await turn.runTool(toCommandCall(argv), async () => {
      const result = await runCommand({ ...turn, argv, cwd: turn.workspace, timeoutMs: timeout });
      // A command that could not run proves nothing about the tests.
      if (result.code === null || result.code === 126 || result.code === 127)
        throw createUnexpectedExitError(argv[0], result, 'a verdict');
      return result;
    });
    const result = ended.code === 0 ? 'pass' : 'fail';
    const detail = `${argv.join(' ')} ended with ${ended.code}\n${ended.tail}`;
    await sendVerb(turn, 'verdict', { result, suites, detail });
  },
  async usage(used, turn) {
    const { usd, ...tokens } = used;
    turn.emit({ type: 'usage', ...tokens, ...(usd === undefined ? {} : { usd }) });
  },
  async turn(_, turn) {
    turn.emit({ type: 'turn_ended' });
  },
};

function toCommandCall(argv: readonly [string, ...string[]]): ScriptedToolCall<ScriptedCommandResult> {
  return { tool: argv[0], detail: argv.join(' '), result: ({ tail }) => tail };
}

async function updateFile(
  turn: ScriptedTurn,
  tool: string,
  path: string,
  change: (file: string) => Promise<void>,
): Promise<void> {
  await turn.runTool({ tool, detail: path }, async () =>
    change(await resolveWorkspacePath(turn.workspace, path)),
  );
}

function createUnexpectedExitError(
  program: string,
  { code, problem, tail }: ScriptedCommandResult,
  expected: number | string,
): LegionError {
  const why = problem ?? `it ended with ${code}, expected ${expected}`;
  return new LegionError('scenario.step_failed', `${program}: ${why}${tail === '' ? '' : `: ${tail}`}`);
}

/**
 * Checks the real path, because any symbolic link in the path may lead out of the workspace or into
 * git's directory.
 */
async function resolveWorkspacePath(workspace: string, path: string): Promise<string> {
  const problem = findPathProblem(path);
  if (problem !== undefined) throw createOutsideError(path, problem);
  const root = await realpath(workspace);
  const real = await resolveRealPath(join(root, path));
  if (real === undefined) throw createOutsideError(path, 'goes through a dangling link');
  const parts = relative(root, real).split(sep);
  if (parts[0] === '..' || real === root)
    throw createOutsideError(path, 'resolves to a path outside the workspace');
  if (hasGitFolder(parts)) throw createOutsideError(path, 'resolves into git’s own directory');
  return real;
}

/**
 * Resolves the existing part of a path and appends the missing part. Undefined for a dangling link.
 */
async function resolveRealPath(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats !== undefined) return realpath(path).catch(() => undefined);
  const parent = await resolveRealPath(dirname(path));
  return parent === undefined ? undefined : join(parent, path.slice(dirname(path).length + 1));
}

function createOutsideError(path: string, why: string): LegionError {
  return new LegionError('scenario.outside', `${quoteText(path)} ${why}`);
}

/** A commit in a very large repository takes seconds; anything longer than this has hung. */
const GIT_TIMEOUT_MS = 120_000;

/**
 * Disables the user's hooks and commit signing. This author's name and address apply only if the
 * environment sets none.
 */
const GIT_SETTINGS = [
  'user.name=legion scripted agent',
  'user.email=scripted@legion.invalid',
  'commit.gpgsign=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Names of the base branch to try if the remote does not report one. */
const USUAL_BASES: readonly string[] = ['main', 'master'];

/**
 * An empty commit is not a failure: a turn replayed after a crash finds its work already committed.
 */
async function runGitCommit(input: StepInput<'commit'>, turn: ScriptedTurn): Promise<void> {
  await runGit(turn, ['add', '--all']);
  if (input.include.length > 0) await runGit(turn, ['add', '--force', '--', ...input.include]);
  // Passed on standard input: the message may contain an issue title, which must not appear on a
  // command line.
  const args = ['commit', '--quiet', '--cleanup=whitespace', '--file=-'];
  const result = await tryGit(turn, args, input.message);
  if (result.code === 0) return;
  if ((await tryGit(turn, ['diff', '--cached', '--quiet'])).code !== 0) throw createGitError(args, result);
  turn.emit({ type: 'text', text: 'nothing to commit' });
}

/** Aborts a conflicting merge, so that the workspace stays unchanged. */
async function runGitMergeBase({ ref, prefer }: StepInput<'merge_base'>, turn: ScriptedTurn): Promise<void> {
  const bases = ref === undefined ? await findBaseRefs(turn) : [ref];
  if (bases.length === 0) throw new LegionError('scenario.step_failed', 'no base branch to merge');
  for (const base of bases) {
    const args = ['merge', '--quiet', '--no-edit', ...(prefer === undefined ? [] : [`-X${prefer}`]), base];
    const result = await tryGit(turn, args);
    if (result.code === 0) continue;
    await tryGit(turn, ['merge', '--abort']);
    throw createGitError(args, result);
  }
}

/**
 * Finds the local and the remote reference of the base: a local forge moves the local reference,
 * and a fetch moves the remote reference.
 */
async function findBaseRefs(turn: ScriptedTurn): Promise<string[]> {
  const remote = await tryGit(turn, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const names = remote.code === 0 ? [remote.tail.replace(/^origin\//, '')] : USUAL_BASES;
  for (const name of names) {
    const refs: string[] = [];
    for (const each of [`refs/heads/${name}`, `refs/remotes/origin/${name}`]) {
      if ((await tryGit(turn, ['rev-parse', '--verify', '--quiet', each])).code === 0) refs.push(each);
    }
    if (refs.length > 0) return refs;
  }
  return [];
}

async function runGit(turn: ScriptedTurn, args: readonly string[]): Promise<void> {
  const result = await tryGit(turn, args);
  if (result.code !== 0) throw createGitError(args, result);
}

function tryGit(
  { workspace, env, signal }: ScriptedTurn,
  args: readonly string[],
  input = '',
): Promise<ScriptedCommandResult> {
  return runCommand({
    argv: ['git', ...GIT_SETTINGS, ...args],
    cwd: workspace,
    env: { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' },
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
    input,
  });
}

function createGitError(
  args: readonly string[],
  { code, problem, tail }: ScriptedCommandResult,
): LegionError {
  const why = problem ?? `it ended with ${code}`;
  return new LegionError('scenario.step_failed', `git ${args[0]}: ${why}${tail === '' ? '' : `: ${tail}`}`);
}

/** The scripted agent reads no messages during its turn, so this step looks for the request itself. */
const STOP_POLL_MS = 50;

async function waitForStopRequest({ env, signal }: ScriptedTurn): Promise<void> {
  const file = join(env[MESSAGES_VARIABLE] ?? '', toMessageFileName({ id: STOP_REQUEST_ID }));
  while (!existsSync(file)) await sleep(STOP_POLL_MS, undefined, { signal });
}

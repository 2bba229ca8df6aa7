/** Plays commits and updates from the base in a jj workspace. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import type { StepInput } from '../scenario/scenario.ts';
import { runCommand, type ScriptedCommandResult } from './command.ts';
import type { ScriptedTurn } from './turn.ts';

/** A commit in a very large repository takes seconds; anything longer than this has hung. */
const JJ_TIMEOUT_MS = 120_000;

/** Names of the base branch to try. */
const USUAL_BASES: readonly string[] = ['main@origin', 'master@origin', 'trunk()'];

export function isJjWorkspace(workspace: string): boolean {
  return existsSync(join(workspace, '.jj')) && !existsSync(join(workspace, '.git'));
}

/**
 * An empty commit is not a failure: a turn replayed after a crash finds its work already committed.
 */
export async function runJjCommit(input: StepInput<'commit'>, turn: ScriptedTurn): Promise<void> {
  if (input.include.length > 0) await runJj(turn, ['file', 'track', '--include-ignored', ...input.include]);
  const isEmpty = await runJj(turn, ['log', '--no-graph', '-r', '@', '-T', 'empty']);
  if (isEmpty === 'true') {
    turn.emit({ type: 'text', text: 'nothing to commit' });
    return;
  }
  // Passed on standard input: the operation log records the whole command line.
  await runJj(turn, ['describe', '--stdin'], input.message);
  await runJj(turn, ['new']);
}

/** Undoes a conflicting rebase, so that the workspace stays unchanged. */
export async function runJjMergeBase(
  { ref, prefer }: StepInput<'merge_base'>,
  turn: ScriptedTurn,
): Promise<void> {
  const base = ref ?? (await findBase(turn));
  await runJj(turn, ['rebase', '-b', '@', '-o', base]);
  if ((await listConflicts(turn, base)) === '') return;
  if (prefer !== undefined) {
    // In a rebase, the first side is the base, so jj's "theirs" is the worker's own side.
    const tool = prefer === 'ours' ? ':theirs' : ':ours';
    await runJj(turn, ['resolve', '--tool', tool, '-r', `roots(conflicts() & ${base}..@)`]);
    if ((await listConflicts(turn, base)) === '') return;
  }
  await runJj(turn, ['undo']);
  throw new LegionError('scenario.step_failed', `jj rebase: the work conflicts with ${base}`);
}

function listConflicts(turn: ScriptedTurn, base: string): Promise<string> {
  return runJj(turn, ['log', '--no-graph', '-r', `conflicts() & ${base}..@`, '-T', 'commit_id ++ "\\n"']);
}

async function findBase(turn: ScriptedTurn): Promise<string> {
  for (const base of USUAL_BASES) {
    const found = await tryJj(turn, ['log', '--no-graph', '-r', `present(${base})`, '-T', 'commit_id']);
    if (found.code === 0 && found.tail !== '') return base;
  }
  throw new LegionError('scenario.step_failed', 'no base branch to rebase onto');
}

async function runJj(turn: ScriptedTurn, args: readonly string[], input = ''): Promise<string> {
  const { code, problem, tail } = await tryJj(turn, args, input);
  if (code === 0) return tail;
  const why = problem ?? `it ended with ${code}`;
  throw new LegionError('scenario.step_failed', `jj ${args[0]}: ${why}${tail === '' ? '' : `: ${tail}`}`);
}

function tryJj(
  { workspace, env, signal }: ScriptedTurn,
  args: readonly string[],
  input = '',
): Promise<ScriptedCommandResult> {
  return runCommand({
    argv: ['jj', '--no-pager', '--color', 'never', '--quiet', ...args],
    cwd: workspace,
    env: { ...env, LC_ALL: 'C' },
    timeoutMs: JJ_TIMEOUT_MS,
    signal,
    input,
  });
}

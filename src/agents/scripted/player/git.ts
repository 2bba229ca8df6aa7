/** Commits and merges in the workspace, in a way that works in any repository. */
import { LegionError } from '../../../domain/fault.ts';
import type { StepInput } from '../scenario/step.ts';
import { type Ran, runCommand } from './run-command.ts';
import type { Turn } from './turn.ts';

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
export async function commit(input: StepInput<'commit'>, turn: Turn): Promise<void> {
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
export async function mergeBase({ ref, prefer }: StepInput<'merge_base'>, turn: Turn): Promise<void> {
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

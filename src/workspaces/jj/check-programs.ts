/** Checks that jj workspaces can work here: the versions of jj and git, and the repositories. */
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { createFault, type Fault, LegionError } from '../../core/model/fault.ts';
import { createGitRunner } from '../../git/runner.ts';
import { createJjRunner } from './runner.ts';
import { refuseColocated } from './store.ts';

type Version = readonly [major: number, minor: number];

/** First version of jj in which probes leave no trace and workspaces know their directory. */
const MIN_JJ: Version = [0, 46];
/** Oldest version of git that jj's store was tested with. */
const MIN_GIT: Version = [2, 39];

/** Time limit for printing a version, which normally takes milliseconds. */
const VERSION_TIMEOUT_MS = 10_000;

/** Returns one problem per unsuitable program or repository. `commons`: git directories to check. */
export async function findJjProblems(
  environment: EnvironmentVariables,
  commons: readonly string[],
): Promise<readonly Fault[]> {
  const options = { environment, timeoutMs: VERSION_TIMEOUT_MS };
  const checks = [
    async () => requireVersion('jj', await createJjRunner({ ...options, config: '' }).version(), MIN_JJ),
    async () => requireVersion('git', await createGitRunner(options).run('/', ['version']), MIN_GIT),
    ...commons.map((common) => async () => refuseColocated(common)),
  ];
  const problems = await Promise.all(
    checks.map((check) =>
      check().then(
        () => [],
        (error: unknown) => [toProblem(error)],
      ),
    ),
  );
  return problems.flat();
}

function toProblem(error: unknown): Fault {
  if (error instanceof LegionError) return error.fault;
  return createFault('jj.failed', error instanceof Error ? error.message : String(error));
}

function requireVersion(program: 'jj' | 'git', printed: string, minimum: Version): void {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(printed) ?? []).map(Number);
  if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return;
  throw new LegionError(
    program === 'jj' ? 'jj.too_old' : 'jj.git_too_old',
    `${printed.trim() || program} is too old for jj workspaces, which need ${minimum.join('.')} or newer`,
  );
}

/**
 * Simulates checks for each push. The test chooses their results, which are reported in the way a
 * webhook would report them.
 */
import type { CheckRun } from '../../../../simulators/github/simulator.ts';
import type { Forge } from '../../../../src/ports/forge.ts';

type Verdict = 'passed' | 'failed' | 'could_not_run' | 'running';

const CONCLUSIONS = {
  passed: 'SUCCESS',
  failed: 'FAILURE',
  could_not_run: 'STARTUP_FAILURE',
  running: null,
} as const;

export interface SayingChecks {
  says(verdict: Verdict): void;
  /** Reruns checks that could not run. */
  again(): void;
  /** Wraps the forge so that checks run for its pushes. */
  following(forge: Forge): Forge;
}

export function sayingChecks(
  run: (sha: string, check: CheckRun) => void,
  tell: (branch: string) => void,
): SayingChecks {
  let verdict: Verdict = 'passed';
  const commits = new Map<string, { readonly branch: string; said: Verdict }>();

  function say(sha: string): void {
    const commit = commits.get(sha);
    if (commit === undefined) return;
    commit.said = verdict;
    run(sha, {
      name: 'unit',
      conclusion: CONCLUSIONS[verdict],
      log: `2030-01-01T00:00:00.0Z log of ${sha}\n`,
    });
    tell(commit.branch);
  }

  function sayWhere(said: Verdict): void {
    for (const [sha, commit] of commits) if (commit.said === said) say(sha);
  }

  return {
    says(next) {
      verdict = next;
      sayWhere('running');
    },
    again: () => sayWhere('could_not_run'),
    following: (forge) => ({
      ...forge,
      async push(branch, workspace) {
        const sha = await forge.push(branch, workspace);
        if (!commits.has(sha)) {
          commits.set(sha, { branch, said: 'running' });
          say(sha);
        }
        return sha;
      },
    }),
  };
}

/** A `git` on the search path that records each call before it runs the real one. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCH_PATH } from '../workspaces/git-worktree/git-command.ts';

export interface CountingGit {
  /** Search path for the code under test, so that its git calls are recorded. */
  readonly PATH: string;
  /** Returns the git commands started since the last call, such as `worktree`. */
  takeStarts(): readonly string[];
}

/** `folder` must exist. The program and its log are written there. */
export function countingGit(folder: string): CountingGit {
  const bin = join(folder, 'counting-git');
  const list = join(folder, 'git-starts');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  mkdirSync(bin, { recursive: true });
  appendFileSync(list, '');
  // Skips git's own options before its command: "-c", "-C" and their values, and "--git-dir=…".
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
skip=
for word; do
  if [ -n "$skip" ]; then skip=; continue; fi
  case $word in -c | -C) skip=yes ;; -*) ;; *) echo "$word" >>'${list}'; break ;; esac
done
exec '${real}' "$@"
`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  return {
    PATH: `${bin}:${SEARCH_PATH}`,
    takeStarts() {
      const starts = readFileSync(list, 'utf8').split('\n').slice(0, -1);
      writeFileSync(list, '');
      return starts;
    },
  };
}

/** Tells a worker in a jj workspace which jj command replaces each git command of its instructions. */
import type { Workspaces } from '../../ports/workspace.ts';
import { STORE_REMOTE_NAME } from '../../ports/workspace.ts';

/**
 * Each row: what the instructions say, and what to do instead. Words in capitals are placeholders.
 * A test runs every command with the real jj.
 */
const REPLACEMENTS: readonly (readonly [git: string, jj: string])[] = [
  ['`git status`', '`jj st`; "The working copy has no changes" means that nothing is uncommitted'],
  ['`git rev-parse HEAD`', '`jj log --no-graph -r @- -T commit_id`'],
  ['`git log BASE..HEAD`', '`jj log -r "BASE..@-"`'],
  ['`git diff BASE...HEAD`', '`jj diff --git --from "fork_point(BASE | @)" --to @`'],
  ['`git diff OLD NEW`', '`jj diff --git --from OLD --to NEW`'],
  ['`git add`', 'nothing: every file that is not ignored is already part of the working copy'],
  ['`git commit -m`', '`jj commit -m "MESSAGE"`'],
  ['`git commit --amend`', '`jj squash`'],
  [
    '`git rebase BASE`',
    '`jj rebase -b @ -o BASE`; it succeeds even with conflicts, so run `jj st` afterwards',
  ],
  [
    'resolving a conflict',
    'edit the markers away in the files that `jj st` lists, then run `jj squash` if the conflict is in an earlier commit',
  ],
  ['`git restore FILE`', '`jj restore FILE`'],
  ['undoing your last command', '`jj undo`'],
];

/** Returns undefined if git works in the workspace as usual. */
export function describeWorkspaceKind(kind: Workspaces['kind'], baseRef: string): string | undefined {
  if (kind !== 'jj') return undefined;
  const rows = REPLACEMENTS.map(([git, jj]) => `- ${git}: ${jj}`.replaceAll('BASE', baseRef));
  return `
This is a jj workspace without a \`.git\` directory: never run \`git\`. Where your instructions name a git command, use jj:
${rows.join('\n')}
Always pass \`-m\`, because there is no editor. Legion moves the bookmark and pushes (\`legion worker push\`): never run \`jj git push\`, \`jj op restore\`, \`jj workspace\` or \`jj config set\`, and never change commits of other issues.`;
}

/** Returns the base as workers name it: jj writes the remote after the name. */
export function toBaseName(kind: Workspaces['kind'], base: string, baseRef: string): string {
  return kind === 'jj' ? `${base}@${STORE_REMOTE_NAME}` : baseRef;
}

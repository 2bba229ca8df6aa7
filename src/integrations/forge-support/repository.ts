/** A git repository on this machine, bare or ordinary, and how its references are read and moved. */
import { realpath } from 'node:fs/promises';
import { LegionError } from '../../core/model/fault.ts';
import type { Surroundings } from '../../git/environment.ts';
import { isRefusal } from '../../git/errors.ts';
import { commitOf, openLookup } from '../../git/lookup.ts';
import { type Git, type GitAnswer, type GitCall, gitRunner } from '../../git/runner.ts';
import { LIST_WORK_TREES, workTreeFinder } from '../../git/work-trees.ts';

export interface Repository {
  /** What all work trees of the repository share. */
  readonly gitDir: string;
  readonly objectFormat: string;
  readonly base: string;
  /** Runs git on the repository as a whole, outside of any work tree. */
  run(args: readonly string[], call?: GitCall): Promise<GitAnswer>;
  /** Runs git in a folder: a work tree, a workspace, a checkout. */
  runIn(folder: string, args: readonly string[], call?: GitCall): Promise<GitAnswer>;
  /** The commits of those of the branches that are there, and of the base. */
  heads(branches: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The commit a reference or SHA stands for. */
  commit(name: string): Promise<string | undefined>;
  /** What each name stands for; undefined where that is nothing. */
  objects(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** The work trees that have a branch checked out, except those whose folder is gone. */
  workTreesOn(branch: string): Promise<readonly string[]>;
  isAncestor(ancestor: string, descendant: string, signal?: AbortSignal): Promise<boolean>;
  close(): void;
  /** All or nothing, against the values named; false where one of them is another by now. */
  transact(changes: readonly RefChange[]): Promise<boolean>;
}

type RefChange =
  | { readonly ref: string; readonly to: string; readonly from: string | undefined }
  | { readonly ref: string; readonly mustBe: string }
  | { readonly ref: string; readonly delete: true };

export const branchRef = (branch: string): string => `refs/heads/${branch}`;

export interface RepositoryOptions extends Surroundings {
  readonly path: string;
  readonly base: string;
  readonly timeoutMs: number;
}

export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const { environment, personal, path, base, timeoutMs } = options;
  const surroundings = { environment, personal };
  const git = gitRunner({ ...surroundings, timeoutMs });
  const { gitDir, objectFormat } = await lookAt(git, path);
  const lookup = openLookup(surroundings, gitDir);
  const run: Repository['run'] = (args, call) => git.answer('/', [`--git-dir=${gitDir}`, ...args], call);
  const findWorkTrees = workTreeFinder(gitDir, async () => (await run(LIST_WORK_TREES)).out);
  return {
    gitDir,
    objectFormat,
    base,
    close: lookup.close,
    run,
    runIn: git.answer,
    async heads(branches) {
      const names = [...new Set([base, ...branches])];
      const found = await lookup.objects(names.map((name) => `${branchRef(name)}^{commit}`));
      return new Map(names.flatMap((name, index) => pair(name, found[index])));
    },
    commit: (name) => commitOf(lookup, name),
    objects: lookup.objects,
    async workTreesOn(branch) {
      const found = await findWorkTrees(branchRef(branch));
      return found.filter(({ isGone }) => !isGone).map(({ folder }) => folder);
    },
    async isAncestor(ancestor, descendant, signal) {
      const args = ['merge-base', '--is-ancestor', ancestor, descendant];
      return (await run(args, { signal, answers: [1] })).code === 0;
    },
    async transact(changes) {
      const lines = ['start', ...changes.map(transactionLine), 'prepare', 'commit', ''];
      const { code } = await run(['update-ref', '--stdin'], { input: lines.join('\n'), answers: [128] });
      return code === 0;
    },
  };
}

/** Real, because a work tree names the same folder through other links. */
async function lookAt(git: Git, path: string): Promise<Pick<Repository, 'gitDir' | 'objectFormat'>> {
  try {
    const wanted = ['--show-object-format', '--path-format=absolute', '--git-common-dir'];
    const out = await git.run(path, ['rev-parse', ...wanted]);
    const [objectFormat = '', ...folder] = out.replace(/\n$/, '').split('\n');
    return { objectFormat, gitDir: await realpath(folder.join('\n')) };
  } catch (error) {
    if (error instanceof LegionError && !isRefusal(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('forge.repository_missing', `${path}: ${why}`, { cause: error });
  }
}

function pair(name: string, sha: string | undefined): [string, string][] {
  return sha === undefined ? [] : [[name, sha]];
}

/** A reference that must not exist yet is expected to be all zeros, which "create" says. */
function transactionLine(change: RefChange): string {
  if ('mustBe' in change) return `verify ${change.ref} ${change.mustBe}`;
  if ('delete' in change) return `delete ${change.ref}`;
  return change.from === undefined
    ? `create ${change.ref} ${change.to}`
    : `update ${change.ref} ${change.to} ${change.from}`;
}

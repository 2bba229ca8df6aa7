/** Checks out the missing submodules of a work tree and leaves existing ones alone. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import type { GitCall, GitRunner } from './runner.ts';

const MODULES_FILE = '.gitmodules';
/** The mode of an index entry that is a commit of another repository. */
const GITLINK = '160000';

export interface SubmoduleCheckout {
  /** The work tree. */
  readonly folder: string;
  /**
   * The work tree's repository, or its `.git`. Its settings override submodule addresses and decide
   * whether local paths are allowed.
   */
  readonly repository: string;
  readonly call?: Pick<GitCall, 'signal'> | undefined;
}

/**
 * Rejects with `git.submodule_failed` if a submodule cannot be fetched. Writes nothing to the
 * repository's settings.
 */
export async function checkOutSubmodules(
  git: Pick<GitRunner, 'answer'>,
  { folder, repository, call = {} }: SubmoduleCheckout,
): Promise<void> {
  if (!(await isPathPresent(join(folder, MODULES_FILE)))) return;
  try {
    const missing = await findMissing(git, folder, repository, call);
    if (missing.length === 0) return;
    // git rejects submodules at local paths unless its user allows them, because the path may come
    // from a stranger's commit.
    const allowed = await readSetting(git, repository, 'protocol.file.allow', call);
    const args = [
      ...(allowed === undefined ? [] : ['-c', `protocol.file.allow=${allowed}`]),
      ...['submodule', '--quiet', 'update', '--init', '--recursive', '--'],
      ...missing.map(({ path }) => path),
    ];
    await git.answer(folder, args, { ...call, env: buildSubmoduleSettings(missing) });
  } catch (error) {
    if (!(error instanceof LegionError) || error.code === 'git.interrupted') throw error;
    throw new LegionError('git.submodule_failed', error.message, { cause: error });
  }
}

interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly url: string;
}

/**
 * If a commit of another repository is not listed in `.gitmodules`, it is skipped, because it
 * cannot be fetched.
 */
async function findMissing(
  git: Pick<GitRunner, 'answer'>,
  folder: string,
  repository: string,
  call: Pick<GitCall, 'signal'>,
): Promise<readonly Submodule[]> {
  const listed = await git.answer(folder, ['ls-files', '--stage', '-z'], call);
  const links = listed.out
    .split('\0')
    .filter((line) => line.startsWith(`${GITLINK} `))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  if (links.length === 0) return [];
  const values = await readModules(git, folder, call);
  const names = [...values.keys()].flatMap((key) => /^submodule\.(.+)\.path$/s.exec(key)?.[1] ?? []);
  const missing: Submodule[] = [];
  for (const name of names) {
    const path = values.get(`submodule.${name}.path`) ?? '';
    const written = values.get(`submodule.${name}.url`);
    if (!links.includes(path) || written === undefined) continue;
    if (await isPathPresent(join(folder, path, '.git'))) continue;
    const own = await readSetting(git, repository, `submodule.${name}.url`, call);
    missing.push({ name, path, url: own ?? (await resolveUrl(git, repository, written, call)) });
  }
  return missing;
}

async function readModules(
  git: Pick<GitRunner, 'answer'>,
  folder: string,
  call: Pick<GitCall, 'signal'>,
): Promise<ReadonlyMap<string, string>> {
  const pattern = '^submodule\\..*\\.(path|url)$';
  const args = ['config', '--file', MODULES_FILE, '--null', '--get-regexp', pattern];
  const { out } = await git.answer(folder, args, { ...call, answers: [1] });
  return new Map(
    out
      .split('\0')
      .filter((entry) => entry.includes('\n'))
      .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)]),
  );
}

/**
 * Builds settings that are passed only with this call: `git submodule init` would write them into
 * the settings of the user’s repository.
 */
function buildSubmoduleSettings(submodules: readonly Submodule[]): Readonly<Record<string, string>> {
  const settings = submodules.flatMap(({ name, url }) => [
    [`submodule.${name}.url`, url] as const,
    [`submodule.${name}.active`, 'true'] as const,
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

/**
 * Resolves a relative address against the repository’s origin, or against the repository itself if
 * it has no origin.
 */
async function resolveUrl(
  git: Pick<GitRunner, 'answer'>,
  repository: string,
  url: string,
  call: Pick<GitCall, 'signal'>,
): Promise<string> {
  if (!/^\.\.?\//.test(url)) return url;
  const origin = await readSetting(git, repository, 'remote.origin.url', call);
  let base = (origin ?? repository.replace(/\/\.git$/, '')).replace(/\/+$/, '');
  let rest = url;
  for (let step = /^\.\.?\//.exec(rest)?.[0]; step !== undefined; step = /^\.\.?\//.exec(rest)?.[0]) {
    rest = rest.slice(step.length);
    if (step === '../') base = base.replace(/[/:][^/:]*$/, '');
  }
  return `${base}/${rest}`;
}

async function readSetting(
  git: Pick<GitRunner, 'answer'>,
  repository: string,
  key: string,
  call: Pick<GitCall, 'signal'>,
): Promise<string | undefined> {
  const { code, out } = await git.answer(repository, ['config', '--get', key], { ...call, answers: [1] });
  return code === 0 ? out.trim() : undefined;
}

async function isPathPresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

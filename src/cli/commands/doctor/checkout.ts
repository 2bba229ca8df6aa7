/** Uncommitted changes in the operator's own checkout of the base: information, because only an overlapping merge waits. */
import type { Environment } from '../../../domain/environment.ts';
import { gitRunner } from '../../../git/runner.ts';
import type { RepositoryAt } from '../../repository-at.ts';
import { type Finding, ok } from './finding.ts';

/** What fits on a line or two; the rest is counted. */
const FILES_SHOWN = 10;

/** Nothing where another branch is checked out, or nothing is uncommitted. */
export async function examineCheckout(
  { path, base }: Pick<RepositoryAt, 'path' | 'base'>,
  environment: Environment,
): Promise<readonly Finding[]> {
  const git = gitRunner({ environment, personal: true });
  const branch = await git.ask(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (branch?.trim() !== base) return [];
  const listed = await git.run(path, ['--no-optional-locks', 'diff', '--name-only', '-z', 'HEAD', '--']);
  const files = listed.split('\0').filter((name) => name !== '');
  if (files.length === 0) return [];
  const more = files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : '';
  const named = `${files.slice(0, FILES_SHOWN).join(', ')}${more}`;
  return [ok('checkout', `uncommitted on ${base}: ${named}; a merge waits only if it changes one of these`)];
}

/** Which paths differ between earlier commits and a head; a commit git does not have is unknown, never "no changes". */
import type { ChangesSince } from '../domain/evidence.ts';
import { LegionError } from '../domain/fault.ts';
import type { Comparison } from './compare.ts';
import type { Repository } from './repository.ts';
import { SHA } from './sha.ts';

export async function changesSince(
  repository: Repository,
  comparison: Comparison,
  shas: readonly string[],
  head: string,
  signal: AbortSignal,
): Promise<ChangesSince> {
  const present = await presentCommits(repository, [head, ...shas]);
  const changes = new Map<string, readonly string[] | 'unknown'>();
  for (const sha of new Set(shas)) {
    const readable = present.has(sha) && present.has(head);
    changes.set(sha, readable ? await changedPaths(comparison, sha, head, signal) : 'unknown');
  }
  return changes;
}

async function changedPaths(
  comparison: Comparison,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<readonly string[] | 'unknown'> {
  try {
    return (await comparison.size(from, to, signal)).changedFiles;
  } catch (error) {
    if (error instanceof LegionError && error.code !== 'git.interrupted') return 'unknown';
    throw error;
  }
}

async function presentCommits(
  repository: Repository,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = [...new Set(names)].filter((name) => SHA.test(name));
  const found = await Promise.all(asked.map((name) => repository.commit(name)));
  // A name that stands for another commit, such as that of a tag, is not the commit that was asked for.
  return new Set(asked.filter((name, index) => found[index] === name));
}

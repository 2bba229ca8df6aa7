/** What changed between earlier commits of a branch and its head; a commit git does not have is unknown, never "no changes". */

import { LegionError } from '../core/model/fault.ts';
import type { ChangeSince, ChangesSince } from '../domain/evidence.ts';
import type { Comparison } from '../integrations/forge-support/compare.ts';
import type { Repository } from '../integrations/forge-support/repository.ts';
import type { CheckedAt } from '../ports/forge.ts';
import { SHA } from './sha.ts';

export async function changesSince(
  repository: Repository,
  comparison: Comparison,
  shas: readonly string[],
  at: CheckedAt,
  signal: AbortSignal,
): Promise<ChangesSince> {
  const present = await presentCommits(repository, [at.headSha, at.baseSha, ...shas]);
  const isReadable = present.has(at.headSha) && present.has(at.baseSha);
  const changes = new Map<string, ChangeSince | 'unknown'>();
  for (const sha of new Set(shas)) {
    const known = isReadable && present.has(sha);
    changes.set(sha, known ? await unlessUnreadable(compare(comparison, sha, at, signal)) : 'unknown');
  }
  return changes;
}

/**
 * The branch's own work is its difference from the commit at which it left the base, at both moments. An entry names the
 * contents before and after, so equal entries are the same patch to the byte; `git patch-id` would overlook white space.
 */
async function compare(
  comparison: Comparison,
  sha: string,
  { headSha, baseSha }: CheckedAt,
  signal: AbortSignal,
): Promise<ChangeSince> {
  const [then, now] = await Promise.all([
    comparison.mergeBase(baseSha, sha, signal),
    comparison.mergeBase(baseSha, headSha, signal),
  ]);
  // A commit that is on the base has no work of its own that could be recognised.
  if (then === undefined || now === undefined || then === now || then === sha) {
    const { changedFiles } = await comparison.size(sha, headSha, signal);
    return { own: changedFiles, overlap: [], rebased: false };
  }
  const [before, after, incoming] = await Promise.all([
    comparison.entries(then, sha, signal),
    comparison.entries(now, headSha, signal),
    comparison.entries(then, now, signal),
  ]);
  const touched = [...new Set([...before.keys(), ...after.keys()])];
  return {
    own: touched.filter((path) => !incoming.has(path) && before.get(path) !== after.get(path)),
    overlap: touched.filter((path) => incoming.has(path)),
    rebased: true,
  };
}

async function unlessUnreadable(comparing: Promise<ChangeSince>): Promise<ChangeSince | 'unknown'> {
  try {
    return await comparing;
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

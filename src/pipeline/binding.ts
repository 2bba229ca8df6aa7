/**
 * Proofs count only at the commit they were made at, unless everything the branch itself changed since lies within the retro
 * paths. A newer base below an unchanged patch voids nothing, as long as it brought in none of the branch's own files.
 */
import type { BoundVerdict, ChangesSince, Evidence } from '../domain/evidence.ts';

/** What the proof is worth at `head`. */
export function boundVerdict(
  evidence: Evidence | undefined,
  head: string,
  changes: ChangesSince,
  retroPaths: readonly string[],
): BoundVerdict {
  if (evidence === undefined) return 'none';
  const holds = stillHolds(evidence.sha, head, changes, retroPaths);
  if (holds === 'unknown') return 'unknown';
  return holds ? evidence.verdict : 'void';
}

/** Not having read the changes is not the same as there being none. */
export function stillHolds(
  sha: string,
  head: string,
  changes: ChangesSince,
  retroPaths: readonly string[],
): boolean | 'unknown' {
  if (sha === head) return true;
  const change = changes.get(sha);
  if (change === undefined || change === 'unknown') return 'unknown';
  const paths = [...change.own, ...change.overlap];
  return paths.every((path) => retroPaths.some((pattern) => matches(path, pattern)));
}

/** `**` stands for any number of folders, `*` for anything within one name. */
function matches(path: string, pattern: string): boolean {
  const source = pattern
    .split('**/')
    .map((part) => part.split('**').map(withinOneName).join('.*'))
    .join('(?:.*/)?');
  // A path that climbs could leave the folder the pattern names.
  return !path.split('/').includes('..') && new RegExp(`^${source}$`, 's').test(path);
}

function withinOneName(text: string): string {
  return text.split('*').map(literal).join('[^/]*');
}

function literal(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
}

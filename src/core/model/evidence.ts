/**
 * Evidence of work, bound to the commit at which it was produced. Evidence is valid only at that
 * commit, unless the branch's own later changes are all within the retro paths. If only the base
 * has moved, evidence stays valid, unless the base changed files that the branch also changes.
 */

export const EVIDENCE_KINDS = ['test', 'quality_gate', 'retro'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/**
 * `could_not_run`: the command was missing, timed out or was killed. This is not a verdict on the
 * code.
 */
type EvidenceVerdict = 'passed' | 'failed' | 'could_not_run';

export interface Evidence {
  readonly kind: EvidenceKind;
  readonly sha: string;
  readonly verdict: EvidenceVerdict;
  /** The source: a worker id, a host, or a person who set the label. */
  readonly by: string;
  /** Names of the suites that ran, such as `unit`, `e2e`, `lint`. */
  readonly suites: readonly string[];
  readonly detail: string;
}

/**
 * The value of evidence at the current commit: its verdict, `void` if newer commits invalidate it,
 * `none` if there is no evidence, `unknown` if the commits in between could not be read.
 */
export type BoundVerdict = EvidenceVerdict | 'void' | 'none' | 'unknown';

/** Changes between the commit of a piece of evidence and the current head. */
export interface ChangeSince {
  /** Paths that the branch's own work changed. Excludes changes that only came in from the base. */
  readonly own: readonly string[];
  /**
   * Paths of the branch's own work that the base has also changed since their last common commit.
   */
  readonly overlap: readonly string[];
  /** True if the branch was rebased or had the base merged into it in between. */
  readonly rebased: boolean;
}

/**
 * Keyed by the commit of the evidence. `unknown` if the forge could not compare it with the head.
 */
export type ChangesSince = ReadonlyMap<string, ChangeSince | 'unknown'>;

/** Returns the value of the evidence at `head`. */
export function bindVerdict(
  evidence: Evidence | undefined,
  head: string,
  changes: ChangesSince,
  retroPaths: readonly string[],
): BoundVerdict {
  if (evidence === undefined) return 'none';
  const holds = isStillValid(evidence.sha, head, changes, retroPaths);
  if (holds === 'unknown') return 'unknown';
  return holds ? evidence.verdict : 'void';
}

/** Returns `unknown` if the changes were not read, which does not mean that there are none. */
export function isStillValid(
  sha: string,
  head: string,
  changes: ChangesSince,
  retroPaths: readonly string[],
): boolean | 'unknown' {
  if (sha === head) return true;
  const change = changes.get(sha);
  if (change === undefined || change === 'unknown') return 'unknown';
  const paths = [...change.own, ...change.overlap];
  return paths.every((path) => isRetroPath(path, retroPaths));
}

/** Returns whether a path is one of those that a retro writes. */
export function isRetroPath(path: string, retroPaths: readonly string[]): boolean {
  return retroPaths.some((pattern) => isGlobMatch(path, pattern));
}

/** `**` matches any number of directories, `*` anything within one name. */
function isGlobMatch(path: string, pattern: string): boolean {
  const source = pattern
    .split('**/')
    .map((part) => part.split('**').map(toSegmentPattern).join('.*'))
    .join('(?:.*/)?');
  // A path with `..` could leave the directory that the pattern specifies.
  return !path.split('/').includes('..') && new RegExp(`^${source}$`, 's').test(path);
}

function toSegmentPattern(text: string): string {
  return text.split('*').map(escapeLiteral).join('[^/]*');
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
}

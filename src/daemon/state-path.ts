/** Tells a folder that may be a legion's state folder from one that must not be closed to others. Pure. */

export interface StatePathFacts {
  /** Absolute and without links. */
  readonly path: string;
  /** Home folders, absolute. */
  readonly homes: readonly string[];
  /** Names of what is in it; undefined where it does not exist. */
  readonly entries: readonly string[] | undefined;
}

/** Files and folders that Legion puts there and nobody else is likely to. */
const MARKS: ReadonlySet<string> = new Set([
  'approvals.json',
  'attempts',
  'board.db',
  'consent.json',
  'daemon.json',
  'daemon.lock',
  'daemon.log',
  'halt.json',
  'journal.db',
  'repositories',
  'scripted',
  'worker-secret',
]);

/** Why it must not be one; undefined where it may. */
export function findStatePathProblem({ path, homes, entries = [] }: StatePathFacts): string | undefined {
  if (isInside('/', path)) return 'is the root of the file system';
  const home = homes.find((each) => isInside(each, path));
  if (home !== undefined)
    return isInside(path, home) ? 'is a home folder' : `contains the home folder ${home}`;
  return entries.length > 0 && !entries.some((name) => MARKS.has(name))
    ? 'has files in it, but none of a legion’s state'
    : undefined;
}

/** Whether `inner` is `outer` or lies in it. */
function isInside(inner: string, outer: string): boolean {
  const [from, to] = [outer, inner].map((path) => `${path.replace(/\/+$/, '')}/`);
  return to?.startsWith(from ?? '/') === true;
}

/** What git's words about GitHub mean: it cannot be reached, it does not know us, it does not let us, or it keeps a branch. */
import { type FaultCode, LegionError } from '../../domain/fault.ts';

/** The first that fits; git is run with LC_ALL=C, so its own words are the same everywhere. */
const BY_WORDS: readonly (readonly [RegExp, FaultCode])[] = [
  [/GH006|GH013|protected branch|repository rule/i, 'forge.protected'],
  [/stale info|\[rejected\]|cannot lock ref|failed to update ref/, 'forge.branch_moved'],
  [
    /returned error: 401|Authentication failed|could not read Username|Invalid username/,
    'github.unauthorized',
  ],
  [/returned error: 403|Permission to \S+ denied|Write access to repository not granted/, 'github.forbidden'],
  [/returned error: 404|Repository not found|repository '[^']*' not found/, 'github.missing'],
  [/\[remote rejected\]/, 'forge.protected'],
  [
    /returned error: (?:408|429|5\d\d)|Could not resolve host|Failed to connect|Couldn't connect|Connection (?:reset|refused|timed out)|early EOF|RPC failed|hung up|Empty reply|unable to access/,
    'github.unavailable',
  ],
];

/** For `catch`: rejects with the fault that git's words are, or with what it was. */
export function asGithubFault(error: unknown): never {
  if (!(error instanceof LegionError)) throw error;
  if (error.code === 'git.timeout')
    throw new LegionError('github.unavailable', error.message, { cause: error });
  const code =
    error.code === 'git.failed' ? BY_WORDS.find(([words]) => words.test(error.message))?.[1] : undefined;
  throw code === undefined ? error : new LegionError(code, error.message, { cause: error });
}

/** GitHub was reached and has no such commit. */
export function isNotThere(error: unknown): boolean {
  return (
    error instanceof LegionError &&
    /not our ref|couldn't find remote ref|unadvertised object/.test(error.message)
  );
}

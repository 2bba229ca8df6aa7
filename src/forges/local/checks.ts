/** The one check of a commit on the local forge: the repository's own CI command, with the end of its output. */

import type { Ci } from '../../integrations/local/forge/ci.ts';
import type { CheckLog, ForgeCheck } from '../../ports/forge.ts';
import type { CiResult } from './ci-results.ts';

/** The command has no name before it has run. */
const UNNAMED = 'ci';

export async function listChecks(ci: Ci, sha: string): Promise<readonly ForgeCheck[]> {
  if (ci.isPending(sha)) return [{ name: UNNAMED, status: 'pending' }];
  const result = await ci.known(sha);
  return result === undefined ? [] : [{ name: result.name, status: CHECK_STATUSES[result.verdict] }];
}

export async function readCheckLog(ci: Ci, sha: string): Promise<CheckLog> {
  if (ci.isPending(sha)) return { missing: 'The check is still running: its log is kept when it ends.' };
  const result = await ci.known(sha);
  if (result === undefined) return { missing: 'No output of CI is kept for this commit.' };
  const text = result.logTail.trimEnd();
  return text === '' ? { missing: 'The command printed nothing.' } : { text };
}

const CHECK_STATUSES: Readonly<Record<CiResult['verdict'], ForgeCheck['status']>> = {
  passed: 'passing',
  failed: 'failing',
  could_not_run: 'could_not_run',
};

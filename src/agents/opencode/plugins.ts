/** The plugins a repository brings: OpenCode runs them inside its server whatever it is told, so a session is refused where there are any. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';

/** Both spellings are read by OpenCode. */
const FOLDERS: readonly string[] = ['.opencode/plugin', '.opencode/plugins'];
const CODE = /\.[cm]?[jt]sx?$/i;
/** Names in the message: enough to know where to look. */
const NAMED_MOST = 5;

/** Code of the repository would run with the worker's token before anybody has looked at it. Rejects with `agent.failed`. */
export async function refusePlugins(workspace: string): Promise<void> {
  const found = (await Promise.all(FOLDERS.map((folder) => codeIn(workspace, folder)))).flat().sort();
  if (found.length === 0) return;
  const named = found.slice(0, NAMED_MOST).join(', ');
  const more = found.length > NAMED_MOST ? ` and ${found.length - NAMED_MOST} more` : '';
  throw new LegionError(
    'agent.failed',
    `the repository brings plugins that OpenCode would run unasked (${named}${more}): remove them from the branch, or let another agent do this phase`,
  );
}

async function codeIn(workspace: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(workspace, folder), { withFileTypes: true });
    // Where a folder or a link leads is not followed: it may change, and may be a plugin as a whole.
    const acting = entries.filter((entry) => !entry.isFile() || CODE.test(entry.name));
    return acting.map(({ name }) => join(folder, name));
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isAbsent) return [];
    // What cannot be looked at may be anything.
    throw new LegionError('agent.failed', `${join(workspace, folder)} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

/** The answer to what OpenCode still asks permission for: nobody watches a worker's terminal, and a question left open hangs it. */
import { isAbsolute, relative, resolve } from 'node:path';
import type { PermissionAsked } from './events.ts';

/** Their patterns are paths; those of others are commands, addresses or names. */
const ABOUT_PATHS: readonly string[] = ['read', 'edit', 'write', 'list', 'glob', 'grep'];

const OUTSIDE =
  'Work in the workspace only: nothing outside of it may be read or changed. Put files that you need for a while into the workspace and remove them again.';
const LOOPING =
  'You have made the same call several times in a row, and it leads nowhere. Try something else; if nothing is left to try, ask a person with `ask` or report with `error`.';

export function permissionReply(
  { permission, patterns }: PermissionAsked,
  workspace: string,
): { readonly reply: 'once' | 'reject'; readonly message?: string } {
  if (permission === 'doom_loop') return { reply: 'reject', message: LOOPING };
  const isOutside =
    permission === 'external_directory' ||
    (ABOUT_PATHS.includes(permission) && patterns.some((pattern) => leadsOutside(pattern, workspace)));
  return isOutside ? { reply: 'reject', message: OUTSIDE } : { reply: 'once' };
}

function leadsOutside(pattern: string, workspace: string): boolean {
  const path = relative(workspace, resolve(workspace, pattern));
  return path === '..' || path.startsWith('../') || isAbsolute(path);
}

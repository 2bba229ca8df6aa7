/** Where Codex keeps the login of the person whose environment this is. */

import { join } from 'node:path';
import type { Environment } from '../../domain/environment.ts';

/** Undefined where the environment does not say. */
export function loginFile({ CODEX_HOME, HOME }: Environment): string | undefined {
  if (CODEX_HOME) return join(CODEX_HOME, 'auth.json');
  return HOME ? join(HOME, '.codex', 'auth.json') : undefined;
}

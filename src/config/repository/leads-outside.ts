/** Whether a folder of a checkout is reached through a symbolic link: what lies behind one is not the repository's. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

export function leadsOutside(checkout: string, folder: string): boolean {
  try {
    return realpathSync(join(checkout, folder)) !== join(realpathSync(checkout), folder);
  } catch {
    return false; // what is not there leads nowhere; reading says so
  }
}

/** The names in a folder; one that is not there yet holds none. */
import { readdir } from 'node:fs/promises';

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

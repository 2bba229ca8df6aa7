/** The files of a built dashboard: a request can name one of these and nothing else on the disk. */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** As a browser names them, the smaller first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

export type Encoding = (typeof ENCODINGS)[number]['name'];

export interface ListedFiles {
  has(name: string): boolean;
  /** In which it lies there beside its plain form. */
  encodingsOf(name: string): readonly Encoding[];
  /** Undefined where it is gone since. */
  read(name: string, encoding: Encoding | undefined): Promise<Buffer | undefined>;
}

/** Names are as in an address, `assets/index-1a2b.js`. A folder that is not there holds no files. */
export async function listFiles(folder: string): Promise<ListedFiles> {
  const names = new Set(await namesBelow(folder, ''));
  const endingOf = (encoding: Encoding | undefined) =>
    ENCODINGS.find(({ name }) => name === encoding)?.ending ?? '';
  return {
    has: (name) => names.has(name) && !ENCODINGS.some(({ ending }) => name.endsWith(ending)),
    encodingsOf: (name) =>
      ENCODINGS.filter(({ ending }) => names.has(name + ending)).map((encoding) => encoding.name),
    async read(name, encoding) {
      const listed = name + endingOf(encoding);
      return names.has(listed) ? readFile(join(folder, listed)) : undefined;
    },
  };
}

/** Links are left out, wherever they lead. So is what begins with a dot. */
async function namesBelow(folder: string, below: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(folder, below), { withFileTypes: true });
    const seen = entries.filter(({ name }) => !name.startsWith('.'));
    const lists = seen.map(async (entry) => {
      const name = below + entry.name;
      if (entry.isDirectory()) return namesBelow(folder, `${name}/`);
      return entry.isFile() ? [name] : [];
    });
    return (await Promise.all(lists)).flat();
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** What was a file when it was listed may be a link by now. */
async function readFile(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

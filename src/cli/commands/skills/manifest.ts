/** The list of what Legion has installed into a folder, so that it can tell its own files from those somebody changed. */
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../../lib/fs/read-bounded.ts';

export const MANIFEST_FILE = '.legion-skills.json';

/** What the list names may be removed: a path that climbs or is absolute is none of ours. */
const PATH = /^[a-z0-9-]+(?:\/(?!\.)[\w.-]+)+$/;

const manifestSchema = z.strictObject({
  version: z.string(),
  files: z.record(z.string().regex(PATH), z.string()),
});

export interface Manifest {
  readonly version: string;
  /** The hash of each file as it was written, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

/** One that cannot be read counts as none: then every file that differs looks changed by hand, and is kept. */
export function readManifest(folder: string): Manifest | undefined {
  return manifestSchema.safeParse(readJsonFile(join(folder, MANIFEST_FILE))).data;
}

export function manifestText({ version, files }: Manifest): string {
  const sorted = Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version, files: sorted }, undefined, 2)}\n`;
}

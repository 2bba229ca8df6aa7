/** Finds the legion that was last started from a `legion.yaml` that can no longer be read. */
import { join } from 'node:path';
import type { LegionPaths } from '../config/paths.ts';
import { listFolders } from '../lib/fs/folder.ts';
import { readJsonFile } from '../lib/fs/read-bounded.ts';
import { STARTED_FROM_FILE, type StartedFrom, startedFromSchema } from '../protocol/started-from.ts';

/** Undefined if no legion was started from this file. A damaged record counts as none. */
export function findLastStarted({ states }: LegionPaths, file: string): string | undefined {
  const records = listFolders(states).flatMap((folder) => readStartedFrom(join(states, folder)) ?? []);
  return records.filter((record) => record.file === file).toSorted((a, b) => b.at - a.at)[0]?.legion;
}

export function readStartedFrom(state: string): StartedFrom | undefined {
  return startedFromSchema.safeParse(readJsonFile(join(state, STARTED_FROM_FILE))).data;
}

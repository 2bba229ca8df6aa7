/** The marker of a workspace: a file in its private git folder, where it is neither content nor ever shown by git. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { issueIdSchema } from '../../core/model/ids.ts';
import { parseJson } from '../../lib/json.ts';
import { readUnlessAbsent } from './faults.ts';

const FILE = 'legion.json';

const markerSchema = z.object({ legion: z.string(), issue: issueIdSchema });

export type Marker = z.infer<typeof markerSchema>;

/** `entry` is `<repository>/worktrees/<name>`; git removes the marker together with it. */
export async function writeMarker(entry: string, marker: Marker): Promise<void> {
  await writeFile(join(entry, FILE), `${JSON.stringify(marker)}\n`);
}

/** Nothing where there is certainly no marker of ours. */
export function readMarker(entry: string): Marker | undefined {
  const text = readUnlessAbsent(() => readFileSync(join(entry, FILE), 'utf8'));
  return text === undefined ? undefined : markerSchema.safeParse(parseJson(text)).data;
}

/** Remembers which legion.yaml files `legion init` has written, so that two legions get neither one port nor one name. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readLegionFile } from '../../../config/legion/load.ts';
import { resolveConfig } from '../../../config/legion/resolve.ts';
import { legionPaths } from '../../../config/paths.ts';
import { readTextFile } from '../../../config/text-file.ts';
import type { Environment } from '../../../domain/environment.ts';
import { writeDurablySync } from '../../../lib/fs/atomic-write.ts';

const MAX_LIST_BYTES = 1_024 * 1_024;
const PRIVATE_FOLDER = 0o700;

const listSchema = z.array(z.string().max(4_096));

export interface KnownLegion {
  readonly file: string;
  readonly legion: string;
  readonly port: number;
}

/** Reads each file again: a person may have changed the port, or removed the file. */
export function readKnownLegions(env: Environment): readonly KnownLegion[] {
  return listedFiles(env).flatMap((file) => readLegion(file) ?? []);
}

export function readLegion(file: string): KnownLegion | undefined {
  const text = readLegionFile(file);
  if (!text.ok) return undefined;
  const resolved = resolveConfig({ flags: [], file: { path: file, text: text.value }, environment: {} });
  if (!resolved.ok) return undefined;
  const { legion, port } = resolved.value.config;
  return { file, legion, port };
}

/** A list that cannot be written costs nothing but the hint to the next `legion init`. */
export function rememberLegion(env: Environment, file: string): void {
  const paths = legionPaths(env);
  if (!paths.ok) return;
  const files = new Set([...readKnownLegions(env).map((known) => known.file), file]);
  try {
    mkdirSync(dirname(paths.value.legionFiles), { recursive: true, mode: PRIVATE_FOLDER });
    writeDurablySync(paths.value.legionFiles, `${JSON.stringify([...files], undefined, 2)}\n`);
  } catch {
    // The port of this legion was free when it was chosen, which is what matters most.
  }
}

function listedFiles(env: Environment): readonly string[] {
  const paths = legionPaths(env);
  if (!paths.ok) return [];
  const text = readTextFile(paths.value.legionFiles, MAX_LIST_BYTES, 'no links');
  if (!text.ok) return [];
  try {
    return listSchema.safeParse(JSON.parse(text.value)).data ?? [];
  } catch {
    return []; // not JSON: the next `legion init` begins a new list
  }
}

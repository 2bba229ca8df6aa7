/** Reads `legion.yaml` from disk and resolves it. */
import { failed, type Result } from '../../core/model/fault.ts';
import { readTextFile } from '../text-file.ts';
import { type Inputs, type Resolved, resolveConfig } from './resolve.ts';
import { LEGION_FILE_MOST_BYTES } from './schema.ts';

export interface LegionFile {
  readonly path: string;
  /** A file somebody named must exist; the one Legion merely looks for need not. */
  readonly named: boolean;
}

export function loadConfig(file: LegionFile, inputs: Omit<Inputs, 'file'>): Result<Resolved> {
  const text = readLegionFile(file.path);
  if (text.ok) return resolveConfig({ ...inputs, file: { path: file.path, text: text.value } });
  if (text.fault.code !== 'config.missing' || file.named) return failed(text.fault);
  return resolveConfig({ ...inputs, file: undefined });
}

export function readLegionFile(path: string): Result<string> {
  return readTextFile(path, LEGION_FILE_MOST_BYTES, 'links');
}

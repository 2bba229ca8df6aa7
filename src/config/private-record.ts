/** A small JSON file in a legion's state folder that only the operator may write, such as approvals and consent. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { type FaultCode, failed, fault, ok, type Result } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';
import { parseJson } from '../lib/json.ts';
import { readTextFile } from './text-file.ts';

const FOLDER_MODE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

/** Undefined where there is no file; one that cannot be trusted or understood fails with `code`. */
export function readPrivateRecord<S extends z.ZodType>(
  path: string,
  schema: S,
  mostBytes: number,
  code: FaultCode,
): Result<z.output<S> | undefined> {
  const distrust = (says: string) => failed(fault(code, says));
  const text = readTextFile(path, mostBytes, 'no links');
  if (!text.ok) return text.fault.code === 'config.missing' ? ok(undefined) : distrust(text.fault.message);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return distrust(`${path}: other users may write to it`);
  const read = decode(schema, parseJson(text.value), path);
  return read.ok ? read : distrust(read.fault.message);
}

/** On disk, readable by the operator alone, when it returns. */
export function writePrivateRecord(path: string, record: object, code: FaultCode): Result<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    writeDurablySync(path, `${JSON.stringify(record, undefined, 2)}\n`);
    return ok(undefined);
  } catch (error) {
    return failed(fault(code, `${path}: ${(error as Error).message}`));
  }
}

/** Reads the secret that a reference of the configuration names: `env:VARIABLE` or `file:/absolute/path`. */

import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { failed, fault, LegionError, ok, type Result } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { readTextFile } from './text-file.ts';

/** A private key of 16,384 bits in PEM is 13 kB; what is larger is the wrong file. */
const SECRET_MAX_BYTES = 65_536;

/** The secret without the line break that editors and `echo` leave at its end; no message ever holds a part of it. */
export function readReference(reference: string, environment: Environment): Result<string> {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(reference) ?? [];
  if (kind === 'env') return fromVariable(name, environment);
  if (kind === 'file') return fromFile(name, environment);
  // Not shown: whoever writes the secret itself in its place would find it in a log.
  return failed(fault('config.invalid', 'a secret is named as env:VARIABLE or file:/absolute/path'));
}

/** Throws with `key` in front; `key` is where the configuration has the reference. */
export function requireReference(key: string, reference: string, environment: Environment): string {
  const read = readReference(reference, environment);
  if (read.ok) return read.value;
  throw new LegionError(read.fault.code, `${key}: ${read.fault.message}`);
}

function fromVariable(name: string, environment: Environment): Result<string> {
  const secret = environment[name]?.trim() ?? '';
  return secret === '' ? missing(`the variable ${name} is not set, or empty`) : ok(secret);
}

function fromFile(name: string, environment: Environment): Result<string> {
  const { HOME = '' } = environment;
  const path = name.startsWith('~/') ? join(HOME, name.slice(2)) : name;
  if (!isAbsolute(path)) return failed(fault('config.invalid', `file:${name} is not an absolute path`));
  const text = readTextFile(path, SECRET_MAX_BYTES, 'links');
  // Not there, a folder, too large, no text: in each case this is not where the secret is.
  if (!text.ok) return missing(text.fault.message);
  const exposed = exposure(path);
  if (exposed !== undefined) return failed(fault('config.secret_exposed', exposed));
  const secret = text.value.trim();
  return secret === '' ? missing(`${path}: is empty`) : ok(secret);
}

/**
 * The rule of ssh for its keys: our own file must be nobody else's to read or write, since only its owner can have opened it by
 * mistake. A file that another user owns, such as a secret mounted by root, is as its administrator wants it.
 */
function exposure(path: string): string | undefined {
  const { uid, mode } = statSync(path);
  if (uid !== userInfo().uid || (mode & 0o077) === 0) return undefined;
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  return `${path}: has the rights ${rights}, so that other users of this machine may read or change it`;
}

function missing(says: string): Result<string> {
  return failed(fault('config.secret_missing', says));
}

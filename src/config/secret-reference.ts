/** Reads the secret that a configured reference points to: `env:VARIABLE` or `file:/absolute/path`. */

import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { createFault, fail, LegionError, ok, type Result } from '../core/model/fault.ts';
import { readTextFile } from './text-file.ts';

/** A private key of 16,384 bits in PEM takes 13 kB. A larger file is the wrong one. */
const MAX_SECRET_BYTES = 65_536;

/**
 * Returns the secret without the line break that editors and `echo` append. No message ever
 * contains a part of the secret.
 */
export function readReference(reference: string, environment: EnvironmentVariables): Result<string> {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(reference) ?? [];
  if (kind === 'env') return readSecretVariable(name, environment);
  if (kind === 'file') return readSecretFile(name, environment);
  // Does not quote the reference: it may be the secret itself, which would end up in a log.
  return fail(
    createFault('config.invalid', 'expected a reference to a secret: env:VARIABLE or file:/absolute/path'),
  );
}

/**
 * On failure, throws an error whose message begins with `key`, which locates the reference in the
 * configuration.
 */
export function requireReference(key: string, reference: string, environment: EnvironmentVariables): string {
  const read = readReference(reference, environment);
  if (read.ok) return read.value;
  throw new LegionError(read.fault.code, `${key}: ${read.fault.message}`);
}

function readSecretVariable(name: string, environment: EnvironmentVariables): Result<string> {
  const secret = environment[name]?.trim() ?? '';
  return secret === '' ? refuseMissingSecret(`the variable ${name} is not set or is empty`) : ok(secret);
}

function readSecretFile(name: string, environment: EnvironmentVariables): Result<string> {
  const { HOME = '' } = environment;
  const path = name.startsWith('~/') ? join(HOME, name.slice(2)) : name;
  if (!isAbsolute(path)) return fail(createFault('config.invalid', `file:${name} is not an absolute path`));
  const text = readTextFile(path, MAX_SECRET_BYTES, 'links');
  // The file is missing, a directory, too large or not text, so it does not hold the secret.
  if (!text.ok) return refuseMissingSecret(text.fault.message);
  const exposed = findExposure(path);
  if (exposed !== undefined) return fail(createFault('config.secret_exposed', exposed));
  const secret = text.value.trim();
  return secret === '' ? refuseMissingSecret(`${path}: is empty`) : ok(secret);
}

/**
 * Follows ssh's rule for keys: if the file belongs to our own user, other users must not be able to
 * read or write it, because that is likely a mistake. If it belongs to another user, such as a
 * secret mounted by root, its permissions are that administrator's choice.
 */
function findExposure(path: string): string | undefined {
  const { uid, mode } = statSync(path);
  if (uid !== userInfo().uid || (mode & 0o077) === 0) return undefined;
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  return `${path}: has the permissions ${rights}, so other users of this machine can read or change it`;
}

function refuseMissingSecret(message: string): Result<string> {
  return fail(createFault('config.secret_missing', message));
}

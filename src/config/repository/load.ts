/** Reads a repository's own configuration, trusting neither its content nor where its path leads. */
import { join } from 'node:path';
import { failed, fault, ok, type Result } from '../../core/model/fault.ts';
import { faultOf } from '../problem.ts';
import { check } from '../schema/check.ts';
import { settle, valuesIn } from '../schema/settle.ts';
import { readTextFile } from '../text-file.ts';
import { UNSUPPORTED_REPOSITORY_KEYS } from '../unsupported-keys.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { leadsOutside } from './leads-outside.ts';
import {
  REPOSITORY_DEFAULTS,
  REPOSITORY_FILE_MOST_BYTES,
  type RepositoryConfig,
  repositorySchema,
} from './schema.ts';

const REPOSITORY_FILE = '.legion/config.yml';

/** From a checkout. A repository without the file has the defaults. */
export function loadRepositoryConfig(checkout: string): Result<RepositoryConfig> {
  const path = join(checkout, REPOSITORY_FILE);
  if (leadsOutside(checkout, '.legion')) {
    // A message quotes what it finds: a link to somebody's private file must not be read at all.
    return failed(
      fault('config.unreadable', `${path}: is reached through a symbolic link, which is not followed`),
    );
  }
  const text = readTextFile(path, REPOSITORY_FILE_MOST_BYTES, 'no links');
  if (text.ok) return readRepositoryConfig(text.value, path);
  return text.fault.code === 'config.missing' ? readRepositoryConfig('', path) : text;
}

/** From a text, such as the file at a commit; `path` names it in messages. */
export function readRepositoryConfig(text: string, path: string = REPOSITORY_FILE): Result<RepositoryConfig> {
  const file = readYaml(text, path);
  if (!file.ok) return failed(faultOf(file.problems));
  const checked = check(repositorySchema, file.value, UNSUPPORTED_REPOSITORY_KEYS);
  if (!checked.ok) return failed(faultOf(checked.problems));
  const values = valuesIn(repositorySchema, checked.value);
  return ok(settle(REPOSITORY_DEFAULTS, values) as RepositoryConfig);
}

/**
 * Reads a repository's own configuration without trusting its content or its path, and fingerprints
 * its commands and prompts for approval.
 */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createFault, fail, ok, type Result } from '../../core/model/fault.ts';
import type { Phase } from '../../core/model/mode.ts';
import { toConfigFault, UNSUPPORTED_REPOSITORY_KEYS } from '../problem.ts';
import { readYaml } from '../read-yaml.ts';
import { checkYaml } from '../schema/check.ts';
import { applyValues, collectConfigValues } from '../schema/section.ts';
import { readTextFile } from '../text-file.ts';
import {
  MAX_REPOSITORY_FILE_BYTES,
  REPOSITORY_DEFAULTS,
  type RepositoryConfig,
  repositorySchema,
} from './schema.ts';

const REPOSITORY_FILE = '.legion/config.yml';

/** Reads the configuration from a checkout. A repository without the file has the defaults. */
export function loadRepositoryConfig(checkout: string): Result<RepositoryConfig> {
  const path = join(checkout, REPOSITORY_FILE);
  if (isLinkedOutside(checkout, '.legion')) {
    // Messages quote file content, so a link to a private file must not be read at all.
    return fail(
      createFault('config.unreadable', `${path}: is reached through a symbolic link, which is not followed`),
    );
  }
  const text = readTextFile(path, MAX_REPOSITORY_FILE_BYTES, 'no links');
  if (text.ok) return readRepositoryConfig(text.value, path);
  return text.fault.code === 'config.missing' ? readRepositoryConfig('', path) : text;
}

/**
 * Reads the configuration from text, such as the file at a commit. `path` is the path of the file
 * for messages.
 */
export function readRepositoryConfig(text: string, path: string = REPOSITORY_FILE): Result<RepositoryConfig> {
  const file = readYaml(text, path);
  if (!file.ok) return fail(toConfigFault(file.problems));
  const checked = checkYaml(repositorySchema, file.value, UNSUPPORTED_REPOSITORY_KEYS);
  if (!checked.ok) return fail(toConfigFault(checked.problems));
  const values = collectConfigValues(repositorySchema, checked.value);
  return ok(applyValues(REPOSITORY_DEFAULTS, values) as RepositoryConfig);
}

/**
 * Collects a repository's instructions for the worker of a phase: its own text, and skills to read.
 * Returns undefined if there are none. The text is untrusted: callers quote it in prompts.
 */
export function collectInstructions(
  { phases, testing, skills }: RepositoryConfig,
  phase: Phase,
): string | undefined {
  const own = phases[phase as keyof typeof phases];
  const wanted = new Set([...skills.required, ...(own?.skills ?? [])]);
  const parts = [
    own?.instructions,
    phase === 'test' ? testing.instructions : undefined,
    wanted.size === 0
      ? undefined
      : `Read these skills before you begin, if you have them: ${[...wanted].join(', ')}.`,
  ];
  return parts.filter(Boolean).join('\n') || undefined;
}

/**
 * Checks whether a directory of a checkout is reached through a symbolic link, because its content
 * is then not the repository's.
 */
export function isLinkedOutside(checkout: string, folder: string): boolean {
  try {
    return realpathSync(join(checkout, folder)) !== join(realpathSync(checkout), folder);
  } catch {
    return false; // a missing directory leads nowhere, and reading it reports that
  }
}

/**
 * Increase the number in a format if the meaning of the hashed content changes. All approvals are
 * then requested again.
 */
const COMMANDS_FORMAT = 'legion commands 1';
const PROMPTS_FORMAT = 'legion prompts 1';
const BOTH_FORMAT = 'legion commands and prompts 1';

/** Keyed by the name of the template they replace. */
export type PromptTexts = Readonly<Record<string, string>>;

/**
 * Computes the fingerprint of a repository's commands, so that an approval is valid for exactly
 * these commands. Ignores the order of keys, layout and comments of the file.
 */
export function computeCommandsFingerprint({ commands }: Pick<RepositoryConfig, 'commands'>): string {
  return hashContent([COMMANDS_FORMAT, sortEntries(commands)]);
}

/**
 * Any changed character results in a different fingerprint, because an agent reads all of the text.
 */
export function computePromptsFingerprint(prompts: PromptTexts): string {
  return hashContent([PROMPTS_FORMAT, sortEntries(prompts)]);
}

/**
 * Computes one fingerprint of everything that an operator is shown at once. Commands and prompts
 * are each approved under their own fingerprint, so that a change of one does not affect the other.
 */
export function computeShownFingerprint(
  config: Pick<RepositoryConfig, 'commands'>,
  prompts: PromptTexts,
): string {
  const commands = computeCommandsFingerprint(config);
  if (Object.keys(prompts).length === 0) return commands;
  return hashContent([BOTH_FORMAT, commands, computePromptsFingerprint(prompts)]);
}

function sortEntries(record: object): readonly (readonly [string, unknown])[] {
  return Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function hashContent(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

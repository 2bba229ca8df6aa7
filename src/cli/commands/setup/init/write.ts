/**
 * Renders and writes the files of `legion init`. Parses each rendered text before writing it, to
 * check that it is valid.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { resolveConfig } from '../../../../config/legion/resolve.ts';
import type { LegionConfig } from '../../../../config/legion/schema.ts';
import { writeConfig } from '../../../../config/legion/write.ts';
import { readRepositoryConfig } from '../../../../config/repository/load.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import type { ColumnNames } from '../../../../core/model/status.ts';
import { writeDurablySync } from '../../../../lib/fs/atomic-write.ts';
import { unwrap } from '../../../../lib/result.ts';
import { REPOSITORY_FILE } from '../../../repository-at.ts';
import type { InitAnswers } from './answers.ts';
import type { FoundRepository, ProposedCommands } from './repository.ts';

const LEGION_HEAD =
  '# Legion: `legion config check` shows every value and its source; docs/config.md lists the keys.\n';
const COMMANDS_HEAD =
  '# Commands that Legion may run in this repository, once approved with: legion approve --commands\n';

export function renderLegionFile(answers: InitAnswers, path: string): string {
  const { base } = answers;
  const repos = base === undefined ? {} : { repos: [{ repo: `local/${toRepositoryName(path)}`, base }] };
  const { legion, port, ...work } = toConfigKeys(answers);
  return validateLegionFile(
    LEGION_HEAD + writeConfig({ legion, port, ...repos, ...work } as LegionConfig),
    path,
  );
}

/** The parts of legion.yaml that depend on a GitHub or Linear board. */
export interface BoardPart {
  /** The board and its address. */
  readonly board: Pick<LegionConfig, 'backend'> &
    Partial<Pick<LegionConfig, 'short_id' | 'forge' | 'github' | 'linear'>>;
  readonly repos: LegionConfig['repos'];
  readonly statuses: ColumnNames;
  /** References to secrets, never the secrets themselves. */
  readonly credentials: object;
  /** YAML comments for the end of the file that show further settings. */
  readonly hint: string;
}

export function renderBoardFile(answers: InitAnswers, part: BoardPart, path: string): string {
  const { legion, port, ...work } = toConfigKeys(answers);
  const { base } = answers;
  const repos = part.repos.map((entry, index) =>
    index === 0 && base !== undefined ? { ...entry, base } : entry,
  );
  const config = {
    legion,
    ...part.board,
    port,
    ...(repos.length > 0 && { repos }),
    ...(Object.keys(part.statuses).length > 0 && { statuses: part.statuses }),
    ...work,
    ...(Object.keys(part.credentials).length > 0 && { credentials: part.credentials }),
  };
  return validateLegionFile(LEGION_HEAD + writeConfig(config as unknown as LegionConfig) + part.hint, path);
}

function toConfigKeys({ legion, port, agent, approvals, workers }: InitAnswers) {
  return { legion, port, agents: { default: { agent } }, approvals, limits: { workers } };
}

function validateLegionFile(text: string, path: string): string {
  unwrap(resolveConfig({ flags: [], file: { path, text }, environment: {} }));
  return text;
}

/**
 * Renders the repository's own settings: its commands, and whether small, safe changes may merge
 * automatically.
 */
function renderRepositoryFile(
  { commands, mayMergeAlone }: { readonly commands: ProposedCommands; readonly mayMergeAlone: boolean },
  path: string,
): string {
  const content = {
    ...(mayMergeAlone && { merge: { auto_merge_allowed: true } }),
    ...(Object.keys(commands).length > 0 && { commands }),
  };
  const text = COMMANDS_HEAD + stringify(content, { aliasDuplicateObjects: false });
  unwrap(readRepositoryConfig(text, path));
  return text;
}

/** These files contain no secrets, so the person's umask decides who may read them. */
const CONFIG_FILE_MODE = 0o666;

/** Writes to a temporary file first, so that a full disk leaves the existing file intact. */
export function writeConfigFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeDurablySync(path, text, CONFIG_FILE_MODE);
  } catch (error) {
    throw new LegionError('config.unwritten', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Returns the name of the file's directory, reduced to characters that a repository name may have.
 */
export function toRepositoryName(path: string): string {
  const name = basename(dirname(path))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '');
  return name === '' ? 'repository' : name.slice(0, 100);
}

export interface RepositoryFilePlan {
  readonly file: { readonly path: string; readonly text: string } | undefined;
  /** Text that the person must add manually, because the existing file is left unchanged. */
  readonly advice: string | undefined;
}

/**
 * Plans `.legion/config.yml` for `legion init`: the detected commands and the repository's
 * auto-merge switch. Auto-merge needs both switches: `approvals.merge: auto` and the repository's
 * own.
 */
export function planRepositoryFile(
  { commands, approvals }: Pick<InitAnswers, 'commands' | 'approvals'>,
  repository: Pick<FoundRepository, 'path' | 'commands'>,
  force: boolean,
): RepositoryFilePlan {
  const mayMergeAlone = approvals.merge === 'auto';
  if (!commands && !mayMergeAlone) return { file: undefined, advice: undefined };
  const path = join(repository.path, REPOSITORY_FILE);
  if (existsSync(path) && !force) {
    if (commands) throw new LegionError('init.exists', `${path} already exists.`);
    const advice = `Small, safe changes merge automatically only after you add \`merge: { auto_merge_allowed: true }\` to ${path}.`;
    return { file: undefined, advice };
  }
  const settings = { commands: commands ? repository.commands : {}, mayMergeAlone };
  return { file: { path, text: renderRepositoryFile(settings, path) }, advice: undefined };
}

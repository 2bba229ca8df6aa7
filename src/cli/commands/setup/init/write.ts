/** The files `legion init` writes: short, and read back before they are written. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { stringify } from 'yaml';
import { resolveConfig } from '../../../../config/legion/resolve.ts';
import type { LegionConfig } from '../../../../config/legion/schema.ts';
import { writeConfig } from '../../../../config/legion/write.ts';
import { readRepositoryConfig } from '../../../../config/repository/load.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import type { ColumnNames } from '../../../../core/model/status.ts';
import { unwrap } from '../../../../lib/result.ts';
import type { Answers } from '../../init/answers.ts';
import type { ProposedCommands } from './repository.ts';

const LEGION_HEAD =
  '# Legion: `legion config check` shows every value and its source; docs/config.md lists the keys.\n';
const COMMANDS_HEAD =
  '# What Legion may run in this repository, once its operator has approved it: legion approve --commands\n';

export function legionFileText(answers: Answers, path: string): string {
  const { base } = answers;
  const repos = base === undefined ? {} : { repos: [{ repo: `local/${repositoryName(path)}`, base }] };
  const { legion, port, ...work } = keysOf(answers);
  return readBack(LEGION_HEAD + writeConfig({ legion, port, ...repos, ...work } as LegionConfig), path);
}

/** What a file says about a board elsewhere. */
export interface BoardPart {
  /** Which board, and where it is. */
  readonly board: Pick<LegionConfig, 'backend'> &
    Partial<Pick<LegionConfig, 'short_id' | 'forge' | 'github' | 'linear'>>;
  readonly repos: LegionConfig['repos'];
  readonly statuses: ColumnNames;
  /** Where secrets are is named, never written. */
  readonly credentials: object;
  /** Comments behind it all: what may be said besides. */
  readonly hint: string;
}

export function boardFileText(answers: Answers, part: BoardPart, path: string): string {
  const { legion, port, ...work } = keysOf(answers);
  const { base } = answers;
  const repos = part.repos.map((entry, index) =>
    index === 0 && base !== undefined ? { ...entry, base } : entry,
  );
  const given = {
    ...{ legion, ...part.board, port },
    ...(repos.length > 0 && { repos }),
    ...(Object.keys(part.statuses).length > 0 && { statuses: part.statuses }),
    ...work,
    ...(Object.keys(part.credentials).length > 0 && { credentials: part.credentials }),
  };
  return readBack(LEGION_HEAD + writeConfig(given as unknown as LegionConfig) + part.hint, path);
}

function keysOf({ legion, port, agent, approvals, workers }: Answers) {
  return { legion, port, agents: { default: { agent } }, approvals, limits: { workers } };
}

function readBack(text: string, path: string): string {
  unwrap(resolveConfig({ flags: [], file: { path, text }, environment: {} }));
  return text;
}

/** What the repository says about itself: its commands, and whether small safe changes may merge by themselves. */
export function repositoryFileText(
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

/** Beside it first: a full disk leaves the file that was there. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    try {
      writeFileSync(draft, text, { flag: 'wx', flush: true });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw new LegionError('config.unwritten', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Of the folder a file lies in, in letters a repository's name may have. */
export function repositoryName(path: string): string {
  const name = basename(dirname(path))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '');
  return name === '' ? 'repository' : name.slice(0, 100);
}

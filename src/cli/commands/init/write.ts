/** The files `legion init` writes: short, and read back before they are written. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { stringify } from 'yaml';
import { resolveConfig } from '../../../config/legion/resolve.ts';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { writeConfig } from '../../../config/legion/write.ts';
import { readRepositoryConfig } from '../../../config/repository/load.ts';
import { LegionError } from '../../../domain/fault.ts';
import { sure } from '../../place.ts';
import type { Answers } from './answers.ts';
import type { ProposedCommands } from './propose-commands.ts';

const LEGION_HEAD =
  '# Legion: `legion config check` shows every value and its source; docs/config.md lists the keys.\n';
const COMMANDS_HEAD =
  '# What Legion may run in this repository, once its operator has approved it: legion approve --commands\n';

export function legionFileText(answers: Answers, path: string): string {
  const { legion, agent, workers, approvals, port, base } = answers;
  const given: Partial<LegionConfig> = {
    legion,
    port,
    ...(base !== undefined && { repos: [{ repo: `local/${repositoryName(path)}`, base }] }),
    agents: { default: { agent } },
    approvals,
  };
  const text = LEGION_HEAD + writeConfig({ ...given, limits: { workers } } as LegionConfig);
  sure(resolveConfig({ flags: [], file: { path, text }, environment: {} }));
  return text;
}

export function commandsFile(commands: ProposedCommands, path: string): string {
  const text = COMMANDS_HEAD + stringify({ commands }, { aliasDuplicateObjects: false });
  sure(readRepositoryConfig(text, path));
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

/** Of letters a repository's name may have. */
function repositoryName(path: string): string {
  const name = basename(dirname(path))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '');
  return name === '' ? 'repository' : name.slice(0, 100);
}

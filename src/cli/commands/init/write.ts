/** The files `legion init` writes: short, and read back before they are written. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { stringify } from 'yaml';
import { resolveConfig } from '../../../config/legion/resolve.ts';
import { LEGION_DEFAULTS, type LegionConfig } from '../../../config/legion/schema.ts';
import { writeConfig } from '../../../config/legion/write.ts';
import { readRepositoryConfig } from '../../../config/repository/load.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { ColumnNames } from '../../../domain/status.ts';
import { sure } from '../../place.ts';
import type { Answers } from './answers.ts';
import type { ProposedCommands } from './propose-commands.ts';

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

/** Where the secrets are is named, never written. */
const CREDENTIALS_HINT = `
# Who Legion is on GitHub. Without a token: GH_TOKEN, GITHUB_TOKEN or \`gh auth token\`. With an App for each role, whoever writes the
# code is not who reviews it (docs/github.md):
# credentials:
#   github:
#     token: env:GITHUB_TOKEN
#     impl: { app_id: 1, private_key: "file:~/.config/legion/impl.pem" }
#     review: { app_id: 2, private_key: "file:~/.config/legion/review.pem" }
#   webhooks: { github: "env:LEGION_GITHUB_WEBHOOK_SECRET" }   # docs/webhooks.md
`;

export interface GithubPart {
  readonly config: Pick<LegionConfig, 'github' | 'repos' | 'credentials'>;
  readonly statuses: ColumnNames;
}

export function githubFileText(answers: Answers, { config, statuses }: GithubPart, path: string): string {
  const { legion, port, ...work } = keysOf(answers);
  const { base } = answers;
  const { url } = config.github;
  const { token } = config.credentials.github;
  const given = {
    ...{ legion, backend: 'github', port },
    ...(url !== LEGION_DEFAULTS.github.url && { github: { url } }),
    repos: config.repos.map((entry, index) =>
      index === 0 && base !== undefined ? { ...entry, base } : entry,
    ),
    ...(Object.keys(statuses).length > 0 && { statuses }),
    ...work,
    ...(token !== undefined && { credentials: { github: { token } } }),
  };
  return readBack(LEGION_HEAD + writeConfig(given as unknown as LegionConfig) + CREDENTIALS_HINT, path);
}

function keysOf({ legion, port, agent, approvals, workers }: Answers) {
  return { legion, port, agents: { default: { agent } }, approvals, limits: { workers } };
}

function readBack(text: string, path: string): string {
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

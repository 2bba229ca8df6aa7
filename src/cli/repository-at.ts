/**
 * Reads a legion's repository without the daemon, and shows and approves the repository's commands
 * and prompts.
 */
import { dirname } from 'node:path';
import { openApprovalStore } from '../config/approval.ts';
import { expandHome } from '../config/paths.ts';
import {
  computeCommandsFingerprint,
  computePromptsFingerprint,
  loadRepositoryConfig,
  readRepositoryConfig,
} from '../config/repository/load.ts';
import type { RepositoryConfig } from '../config/repository/schema.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError, quoteText, type Result } from '../core/model/fault.ts';
import {
  buildPromptsTreeName,
  type RepositoryPrompts,
  readCheckoutPrompts,
  readCommittedPrompts,
} from '../daemon/repositories/prompts.ts';
import { createGitRunner, type GitRunner } from '../git/runner.ts';
import { unwrap } from '../lib/result.ts';
import { adminEndpoints } from '../protocol/endpoints/admin.ts';
import type { RepositoryCommands } from '../protocol/repository.ts';
import { findBaseBranch, requireCommonFolder } from '../workspaces/git-worktree/repository.ts';
import type { DaemonClient } from './daemon-client.ts';
import type { LegionLocation } from './legion-location.ts';
import { renderFields, renderHeading, renderParagraph, renderSection } from './present/page.ts';

export const REPOSITORY_FILE = '.legion/config.yml';

/**
 * Used as the name of the remote, because the local forge has no remote. No real remote has this
 * name.
 */
const NO_REMOTE_NAME = 'legion.none';

export interface RepositoryState {
  readonly path: string;
  readonly name: string;
  readonly base: string;
  /** Configuration on the base branch. This is the configuration that takes effect. */
  readonly inForce: Result<RepositoryConfig>;
  /** Configuration in the working directory as it is now. */
  readonly inFolder: Result<RepositoryConfig>;
  readonly approved: Result<boolean>;
  /** Valid prompts, and the problems of the invalid ones. */
  readonly prompts: { readonly inForce: RepositoryPrompts; readonly inFolder: RepositoryPrompts };
  readonly promptsApproved: Result<boolean>;
}

/** Rejects with `repository.missing` if there is no repository or it has no commit. */
export async function readRepositoryState(
  { resolved, file, state }: LegionLocation,
  environment: EnvironmentVariables,
): Promise<RepositoryState> {
  const [entry] = resolved.config.repos;
  const path = entry?.path === undefined ? dirname(file.path) : unwrap(expandHome(entry.path, environment));
  const git = createGitRunner({ environment });
  const base = await resolveBaseBranch(git, path, entry?.base);
  const name = entry?.repo ?? path.split('/').at(-1) ?? path;
  const inForce = readRepositoryConfig(
    await readCommittedText(git, path, base),
    `${base}:${REPOSITORY_FILE}`,
  );
  const tree = await resolveObject(git, path, buildPromptsTreeName(base));
  const prompts = {
    inForce: await readCommittedPrompts(git, path, base, tree),
    inFolder: readCheckoutPrompts(path),
  };
  return {
    path,
    name,
    base,
    inForce,
    prompts,
    inFolder: loadRepositoryConfig(path),
    approved: inForce.ok ? checkApproval(state, name, inForce.value) : { ok: true, value: false },
    promptsApproved:
      prompts.inForce.templates.size === 0
        ? { ok: true, value: true }
        : openApprovalStore(state).isApproved(name, computePromptsFingerprint(prompts.inForce.texts)),
  };
}

/** Returns an empty text if the branch has no such file. */
async function readCommittedText(git: GitRunner, path: string, base: string): Promise<string> {
  const blob = await resolveObject(git, path, `refs/heads/${base}:${REPOSITORY_FILE}`);
  return blob === undefined ? '' : git.run(path, ['cat-file', 'blob', blob]);
}

async function resolveObject(git: GitRunner, path: string, name: string): Promise<string | undefined> {
  return (await git.ask(path, ['rev-parse', '--verify', '--quiet', name]))?.trim();
}

/** Returns the branch that pull requests target. */
export async function resolveBaseBranch(
  git: GitRunner,
  path: string,
  named?: string | undefined,
): Promise<string> {
  try {
    return (
      await findBaseBranch(git, await requireCommonFolder(git, path), { base: named, remote: NO_REMOTE_NAME })
    ).name;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    if (error.code === 'workspace.not_a_repository') {
      throw new LegionError('repository.missing', `${path} is not a git repository`, { cause: error });
    }
    if (error.code !== 'workspace.no_commit') throw error;
    const next = 'Create one: git commit --allow-empty -m "Begin"';
    throw new LegionError('repository.missing', `${path} has no commit yet. ${next}`, { cause: error });
  }
}

function checkApproval(state: string, name: string, config: RepositoryConfig): Result<boolean> {
  const hasNoCommands = Object.values(config.commands).every((command) => command === undefined);
  return hasNoCommands
    ? { ok: true, value: true }
    : openApprovalStore(state).isApproved(name, computeCommandsFingerprint(config));
}

/**
 * Returns the repositories with unapproved commands or prompts, or only `repo` if it is specified.
 */
export async function listUnapprovedCommands(
  daemon: DaemonClient,
  repo?: string | undefined,
): Promise<readonly RepositoryCommands[]> {
  const all = await daemon.call(adminEndpoints.repositoryCommands);
  if (repo !== undefined && !all.some((each) => each.repo === repo)) {
    const known = all.map((each) => each.repo).join(', ') || 'none';
    throw new LegionError('repository.missing', `Unknown repository ${quoteText(repo)}. Valid: ${known}.`);
  }
  return all.filter(
    ({ repo: name, approved, commands, prompts }) =>
      !approved &&
      Object.keys(commands).length + Object.keys(prompts).length > 0 &&
      (repo === undefined || name === repo),
  );
}

export function renderCommandsPage(repositories: readonly RepositoryCommands[]): string {
  return repositories
    .map(({ repo, commands, prompts }) => {
      const lines = Object.entries(commands).map(([name, argv]) => [name, formatCommand(argv)] as const);
      const texts = Object.entries(prompts).map(([name, text]) =>
        renderSection(`Prompt ${name}`, quotePrompt(text)),
      );
      return renderHeading(repo) + renderFields(lines) + texts.join('');
    })
    .join('\n');
}

/** Describes the commands and prompts that the operator has to approve. */
export function describeRequestedItems(repositories: readonly RepositoryCommands[]): string {
  const withPrompts = repositories.some(({ prompts }) => Object.keys(prompts).length > 0);
  return withPrompts ? 'commands and prompts' : 'commands';
}

/** Marks every line of the text, so that no part of it can look like Legion's own output. */
function quotePrompt(text: string): string {
  return renderParagraph(text.trimEnd().replace(/^/gm, '  │ '));
}

/**
 * Approves each repository by its fingerprint, so that the approval covers exactly what was on the
 * screen.
 */
export async function approveShown(
  daemon: DaemonClient,
  by: string,
  repositories: readonly RepositoryCommands[],
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const { repo, fingerprint } of repositories) {
    const body = { repo, fingerprint, by };
    messages.push((await daemon.call(adminEndpoints.approveCommands, { body })).says);
  }
  return messages;
}

export function formatCommand(argv: readonly string[]): string {
  return argv.map(quoteArgument).join(' ');
}

/** Quotes an argument that could be mistaken for several arguments. */
function quoteArgument(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

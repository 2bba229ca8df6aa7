/** The commands and prompts a repository asks to have used: showing them, and approving exactly what was shown. */
import { LegionError, shown } from '../core/model/fault.ts';
import { adminEndpoints } from '../protocol/endpoints/admin.ts';
import type { RepositoryCommands } from '../protocol/operator.ts';
import type { DaemonClient } from './daemon-client.ts';
import { fields, heading, paragraph, section } from './present/page.ts';

/** Those that ask for something and have no approval; of one repository where it is named. */
export async function unapprovedCommands(
  daemon: DaemonClient,
  repo?: string | undefined,
): Promise<readonly RepositoryCommands[]> {
  const all = await daemon.call(adminEndpoints.repositoryCommands);
  if (repo !== undefined && !all.some((each) => each.repo === repo)) {
    const known = all.map((each) => each.repo).join(', ') || 'none';
    throw new LegionError(
      'repository.missing',
      `${shown(repo)} is no repository of this legion; there are: ${known}`,
    );
  }
  return all.filter(
    ({ repo: name, approved, commands, prompts }) =>
      !approved &&
      Object.keys(commands).length + Object.keys(prompts).length > 0 &&
      (repo === undefined || name === repo),
  );
}

export function commandsPage(repositories: readonly RepositoryCommands[]): string {
  return repositories
    .map(({ repo, commands, prompts }) => {
      const lines = Object.entries(commands).map(([name, argv]) => [name, commandText(argv)] as const);
      const texts = Object.entries(prompts).map(([name, text]) => section(`Prompt ${name}`, quoted(text)));
      return heading(repo) + fields(lines) + texts.join('');
    })
    .join('\n');
}

/** What these ask for, in a word. */
export function askedFor(repositories: readonly RepositoryCommands[]): string {
  const withPrompts = repositories.some(({ prompts }) => Object.keys(prompts).length > 0);
  return withPrompts ? 'commands and prompts' : 'commands';
}

/** Whole, and marked on every line, so that none of it can be taken for Legion's own words. */
function quoted(text: string): string {
  return paragraph(text.trimEnd().replace(/^/gm, '  │ '));
}

/** The fingerprint holds each approval to what was on the screen. */
export async function approveShown(
  daemon: DaemonClient,
  by: string,
  repositories: readonly RepositoryCommands[],
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const { repo, fingerprint } of repositories) {
    const body = { repo, fingerprint, by };
    said.push((await daemon.call(adminEndpoints.approveCommands, { body })).says);
  }
  return said;
}

export function commandText(argv: readonly string[]): string {
  return argv.map(argumentText).join(' ');
}

/** Quoted where it could be mistaken for several arguments. */
function argumentText(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

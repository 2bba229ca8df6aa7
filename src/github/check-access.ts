/** Whether an account may do on GitHub all that Legion will do, found by reading only, for `legion doctor` and `legion init`. */
import { CATALOGUE, LegionError } from '../core/model/fault.ts';
import type { CheckProjectQuery } from '../integrations/github/generated/client.ts';
import { checkRepository } from './check-repository.ts';
import type { GithubClient, Role } from './client.ts';
import type { Credentials, Grants } from './credentials.ts';
import { type Finding, lacking, passed } from './finding.ts';

export interface Wanted {
  readonly project?: { readonly owner: string; readonly number: number } | undefined;
  readonly repositories: readonly { readonly owner: string; readonly repo: string }[];
  readonly role?: Role | undefined;
}

/** One line for each thing Legion needs; what cannot be found out is not `ok`, and says why. */
export async function checkAccess(
  client: GithubClient & { readonly credentials: Pick<Credentials, 'grants'> },
  wanted: Wanted,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { role, project, repositories } = wanted;
  const as = role === undefined ? { signal } : { as: role, signal };
  const account = await asFinding('account', async () =>
    passed('account', `signed in as ${await client.login(role)}`),
  );
  // Without an account all the rest would say the same once more.
  if (!account.ok) return [account];
  const grants = await client.credentials.grants(role);
  const board =
    project === undefined
      ? []
      : [await asFinding('project', () => checkProject(client, project, grants, as))];
  const checked = await Promise.all(
    repositories.map((repository) => checkRepository({ client, repository, grants, as, asFinding })),
  );
  return [account, ...checkScopes(grants, project !== undefined), ...board, ...checked.flat()];
}

/** Classic tokens name theirs; fine-grained ones and Apps have permissions instead, which the reads below try. */
function checkScopes({ scopes }: Grants, withProject: boolean): readonly Finding[] {
  if (scopes === undefined) return [];
  const needed = withProject ? ['repo', 'project'] : ['repo'];
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return [passed('scopes', `the token has ${needed.join(' and ')}`)];
  const next = `Give the token the scopes ${needed.join(' and ')}; with gh: gh auth refresh -s ${needed.join(',')}`;
  return [lacking('scopes', `the token lacks ${missing.join(' and ')}`, next)];
}

export const CHECK_PROJECT = `query CheckProject($owner: String!, $number: Int!) {
  repositoryOwner(login: $owner) {
    ... on ProjectV2Owner { projectV2(number: $number) { closed viewerCanUpdate } }
  }
}`;

async function checkProject(
  client: GithubClient,
  { owner, number }: NonNullable<Wanted['project']>,
  { permissions }: Grants,
  as: { readonly as?: Role; readonly signal: AbortSignal },
): Promise<Finding> {
  const name = `${owner}/${number}`;
  const how = { ...as, tolerates: ['NOT_FOUND'] };
  const { repositoryOwner } = await client.query<CheckProjectQuery>(CHECK_PROJECT, { owner, number }, how);
  const project = repositoryOwner?.projectV2 ?? undefined;
  const next =
    permissions === undefined
      ? 'Check the number in legion.yaml, and make the account a writer of the project.'
      : 'Check the number in legion.yaml, and give the App the permission Projects: read and write.';
  if (project === undefined) return lacking('project', `there is no project ${name} that it may see`, next);
  if (project.closed) return lacking('project', `the project ${name} is closed`, 'Open the project again.');
  if (!project.viewerCanUpdate) return lacking('project', `it may read the project ${name}, not write`, next);
  return passed('project', `it may read and write the project ${name}`);
}

/** A fault of one question is what that question found. */
async function asFinding(what: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { ...lacking(what, error.message, CATALOGUE[error.code].next), fault: error };
  }
}

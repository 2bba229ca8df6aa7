/**
 * Checks, without writing anything, that an account has permission to do everything Legion needs.
 * Used by `legion doctor` and `legion init`.
 */
import { CATALOGUE, LegionError } from '../../../core/model/fault.ts';
import type { CheckProjectQuery, CheckRepositoryQuery } from '../generated/client.ts';
import type { GithubClient, GithubRole } from './client.ts';
import type { GithubCredentials, GithubGrants } from './credentials.ts';
import type { GithubConnection } from './open.ts';

export interface RequiredAccess {
  readonly project?: { readonly owner: string; readonly number: number } | undefined;
  readonly repositories: readonly { readonly owner: string; readonly repo: string }[];
  readonly role?: GithubRole | undefined;
}

/**
 * Returns one finding per requirement. For a requirement that cannot be checked, `ok` is false and
 * `why` contains the reason.
 */
export async function checkAccess(
  client: GithubClient & { readonly credentials: Pick<GithubCredentials, 'grants'> },
  wanted: RequiredAccess,
  signal: AbortSignal,
): Promise<readonly AccessFinding[]> {
  const { role, project, repositories } = wanted;
  const as = role === undefined ? { signal } : { as: role, signal };
  const account = await toFinding('account', async () =>
    createPassedFinding('account', `signed in as ${await client.login(role)}`),
  );
  // Without an account, all other checks would fail with the same error.
  if (!account.ok) return [account];
  const grants = await client.credentials.grants(role);
  const board =
    project === undefined
      ? []
      : [await toFinding('project', () => checkProject(client, project, grants, as))];
  const checked = await Promise.all(
    repositories.map((repository) =>
      checkRepository({ client, repository, grants, as, asFinding: toFinding }),
    ),
  );
  return [account, ...checkScopes(grants, project !== undefined), ...board, ...checked.flat()];
}

/**
 * Classic tokens list their scopes. Fine-grained tokens and Apps have permissions instead, which
 * the requests below test.
 */
function checkScopes({ scopes }: GithubGrants, withProject: boolean): readonly AccessFinding[] {
  if (scopes === undefined) return [];
  const needed = withProject ? ['repo', 'project'] : ['repo'];
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0)
    return [createPassedFinding('scopes', `the token has the required scopes: ${needed.join(' and ')}`)];
  const next = `Give the token the scopes ${needed.join(' and ')}; with gh: gh auth refresh -s ${needed.join(',')}`;
  return [createLackingFinding('scopes', `the token lacks required scopes: ${missing.join(' and ')}`, next)];
}

export const CHECK_PROJECT = `query CheckProject($owner: String!, $number: Int!) {
  repositoryOwner(login: $owner) {
    ... on ProjectV2Owner { projectV2(number: $number) { closed viewerCanUpdate } }
  }
}`;

async function checkProject(
  client: GithubClient,
  { owner, number }: NonNullable<RequiredAccess['project']>,
  { permissions }: GithubGrants,
  as: { readonly as?: GithubRole; readonly signal: AbortSignal },
): Promise<AccessFinding> {
  const name = `${owner}/${number}`;
  const queryOptions = { ...as, tolerates: ['NOT_FOUND'] };
  const { repositoryOwner } = await client.query<CheckProjectQuery>(
    CHECK_PROJECT,
    { owner, number },
    queryOptions,
  );
  const project = repositoryOwner?.projectV2 ?? undefined;
  const next =
    permissions === undefined
      ? 'Check the number in legion.yaml, and make the account a writer of the project.'
      : 'Check the number in legion.yaml, and give the App the permission Projects: read and write.';
  if (project === undefined)
    return createLackingFinding(
      'project',
      `the project ${name} does not exist, or the account cannot see it`,
      next,
    );
  if (project.closed)
    return createLackingFinding('project', `the project ${name} is closed`, 'Reopen the project.');
  if (!project.viewerCanUpdate)
    return createLackingFinding(
      'project',
      `the account can read the project ${name}, but not write to it`,
      next,
    );
  return createPassedFinding('project', `the account can read and write the project ${name}`);
}

/** Runs one check and converts its error into a finding. */
async function toFinding(subject: string, check: () => Promise<AccessFinding>): Promise<AccessFinding> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { ...createLackingFinding(subject, error.message, CATALOGUE[error.code].next), fault: error };
  }
}

/** The result of one access check. */
export interface AccessFinding {
  readonly what: string;
  readonly ok: boolean;
  readonly why: string;
  /** The next step. Undefined if nothing needs to be done. */
  readonly next: string | undefined;
  /** Set if Legion can work without the permission, but with limitations. */
  readonly optional?: true;
  /** Why the check could not be completed. */
  readonly fault?: LegionError;
}

export function createPassedFinding(subject: string, why: string): AccessFinding {
  return { what: subject, ok: true, why, next: undefined };
}

export function createLackingFinding(subject: string, why: string, next: string): AccessFinding {
  return { what: subject, ok: false, why, next };
}

export interface RepositoryCheck {
  readonly client: GithubClient;
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly grants: GithubGrants;
  readonly as: { readonly as?: GithubRole; readonly signal: AbortSignal };
  readonly asFinding: (what: string, check: () => Promise<AccessFinding>) => Promise<AccessFinding>;
}

export const CHECK_REPOSITORY = `query CheckRepository($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { viewerPermission isArchived hasIssuesEnabled }
}`;

export const CHECK_PULL_REQUESTS = `query CheckPullRequests($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { pullRequests(first: 1) { totalCount } }
}`;

/**
 * Permissions that an App needs, by purpose. A person has a single permission that covers all of
 * them.
 */
const NEEDED_OF_APP: readonly (readonly [string, string, 'read' | 'write'])[] = [
  ['code', 'contents', 'write'],
  ['labels', 'issues', 'write'],
  ['pull requests', 'pull_requests', 'write'],
];

/** Checks an account's rights in one repository: code, labels, pull requests and Actions. */
export async function checkRepository(check: RepositoryCheck): Promise<readonly AccessFinding[]> {
  const { client, repository, grants, as, asFinding } = check;
  const name = `${repository.owner}/${repository.repo}`;
  const whole = await asFinding(name, () => checkWhole(check, name));
  if (!whole.ok) return [whole];

  return [
    whole,
    ...checkApp(grants, name),
    await checkReadable(
      check,
      `${name}: reading pull requests`,
      () => client.query(CHECK_PULL_REQUESTS, repository, as),
      'Give the account the permission Pull requests: read and write.',
    ),
    // A log can only be read if a run exists, so this reads the list of runs, which needs the same
    // permission.
    {
      ...(await checkReadable(
        check,
        `${name}: reading Actions logs`,
        () => client.rest('GET /repos/{owner}/{repo}/actions/runs', { ...repository, per_page: 1 }, as),
        'Give the account the permission Actions: read. Without it, workers cannot see why CI failed.',
      )),
      optional: true,
    },
  ];
}

async function checkReadable(
  { asFinding }: RepositoryCheck,
  subject: string,
  read: () => Promise<unknown>,
  next: string,
): Promise<AccessFinding> {
  const finding = await asFinding(subject, async () => {
    await read();
    return createPassedFinding(subject, 'the account can read them');
  });
  return finding.ok ? finding : { ...finding, next };
}

async function checkWhole(
  { client, repository, grants, as }: RepositoryCheck,
  name: string,
): Promise<AccessFinding> {
  const queryOptions = { ...as, tolerates: ['NOT_FOUND'] };
  const answer = await client.query<CheckRepositoryQuery>(CHECK_REPOSITORY, repository, queryOptions);
  const details = answer.repository;
  if (details === null)
    return createLackingFinding(
      name,
      'the repository does not exist, or the account cannot see it',
      'Check its name in legion.yaml, and give the account access.',
    );
  if (details.isArchived)
    return createLackingFinding(name, 'the repository is archived and read-only', 'Unarchive it.');
  if (!details.hasIssuesEnabled)
    return createLackingFinding(name, 'issues are disabled', 'Enable issues in the repository settings.');
  // An App's rights are determined by its permissions, whatever `viewerPermission` says.
  if (grants.permissions !== undefined) return createPassedFinding(name, 'the App is installed on it');
  if (['WRITE', 'MAINTAIN', 'ADMIN'].includes(details.viewerPermission ?? ''))
    return createPassedFinding(
      name,
      `the account can push, label and open pull requests (${details.viewerPermission})`,
    );
  return createLackingFinding(
    name,
    `the account’s permission is ${details.viewerPermission ?? 'none'}, which allows neither pushing nor creating labels`,
    'Give the account Write permission.',
  );
}

function checkApp({ permissions }: GithubGrants, name: string): readonly AccessFinding[] {
  if (permissions === undefined) return [];
  return NEEDED_OF_APP.map(([subject, permission, level]) => {
    const has = permissions[permission];
    const isEnough = has === level || has === 'write' || has === 'admin';
    const line = `${name}: ${subject}`;
    if (isEnough) return createPassedFinding(line, `the App has ${permission}: ${has}`);
    const why = `the App has ${permission}: ${has ?? 'none'}`;
    return createLackingFinding(
      line,
      why,
      `Give the App the permission ${permission}: ${level}, and accept the change where the App is installed.`,
    );
  });
}

/**
 * Lists permissions that Legion and its roles lack for processing issues, each with the next step.
 * Only reads. If GitHub is unreachable, rejects instead of reporting missing permissions.
 */
export async function findMissingPermissions(
  client: GithubConnection,
  { project, repositories }: Pick<RequiredAccess, 'project' | 'repositories'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing = describeLacking(await checkAccess(client, { project, repositories }, signal), 'GitHub');
  for (const { who, own, login } of await client.credentials.describeIdentity()) {
    // A role without its own account acts as Legion, whose permissions are already checked.
    if (who === 'legion' || !own || typeof login !== 'string') continue;
    const findings = await checkAccess(client, { repositories, role: who }, signal);
    missing.push(...describeLacking(findings, `GitHub, role ${who}`));
  }
  return missing;
}

function describeLacking(findings: readonly AccessFinding[], account: string): string[] {
  const missing = findings.filter(({ ok, optional }) => !ok && optional !== true);
  const unchecked = missing.find(({ fault }) => fault?.retryable === true);
  if (unchecked?.fault !== undefined) throw unchecked.fault;
  return missing.map(({ what, why, next }) => `${account}: ${what}: ${why}. ${next ?? ''}`.trimEnd());
}

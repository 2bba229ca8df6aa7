/** Whether an account may do in one repository what Legion does there: code, labels, pull requests, Actions. */

import type { CheckRepositoryQuery } from '../integrations/github/generated/client.ts';
import type { GithubClient, Role } from './client.ts';
import type { Grants } from './credentials.ts';
import { type Finding, lacking, passed } from './finding.ts';

export interface RepositoryCheck {
  readonly client: GithubClient;
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly grants: Grants;
  readonly as: { readonly as?: Role; readonly signal: AbortSignal };
  readonly asFinding: (what: string, check: () => Promise<Finding>) => Promise<Finding>;
}

export const CHECK_REPOSITORY = `query CheckRepository($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { viewerPermission isArchived hasIssuesEnabled }
}`;

export const CHECK_PULL_REQUESTS = `query CheckPullRequests($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { pullRequests(first: 1) { totalCount } }
}`;

/** What an App needs by name, and what each is for; people have one permission for all of it. */
const NEEDED_OF_APP: readonly (readonly [string, string, 'read' | 'write'])[] = [
  ['code', 'contents', 'write'],
  ['labels', 'issues', 'write'],
  ['pull requests', 'pull_requests', 'write'],
];

export async function checkRepository(check: RepositoryCheck): Promise<readonly Finding[]> {
  const { client, repository, grants, as, asFinding } = check;
  const name = `${repository.owner}/${repository.repo}`;
  const whole = await asFinding(name, () => checkWhole(check, name));
  if (!whole.ok) return [whole];

  return [
    whole,
    ...checkApp(grants, name),
    await readable(
      check,
      `${name}: pull requests, reading`,
      () => client.query(CHECK_PULL_REQUESTS, repository, as),
      'Give the account the permission Pull requests: read and write.',
    ),
    // Logs themselves need a run to try with; they are under the same permission as the list.
    {
      ...(await readable(
        check,
        `${name}: logs of Actions`,
        () => client.rest('GET /repos/{owner}/{repo}/actions/runs', { ...repository, per_page: 1 }, as),
        'Give the account the permission Actions: read; without it a worker does not see why CI failed.',
      )),
      optional: true,
    },
  ];
}

async function readable(
  { asFinding }: RepositoryCheck,
  what: string,
  read: () => Promise<unknown>,
  next: string,
): Promise<Finding> {
  const finding = await asFinding(what, async () => {
    await read();
    return passed(what, 'it may read them');
  });
  return finding.ok ? finding : { ...finding, next };
}

async function checkWhole(
  { client, repository, grants, as }: RepositoryCheck,
  name: string,
): Promise<Finding> {
  const how = { ...as, tolerates: ['NOT_FOUND'] };
  const answer = await client.query<CheckRepositoryQuery>(CHECK_REPOSITORY, repository, how);
  const found = answer.repository;
  if (found === null)
    return lacking(
      name,
      'it is not there, or the account may not see it',
      'Check its name in legion.yaml, and give the account access.',
    );
  if (found.isArchived) return lacking(name, 'it is archived, so nothing can be written', 'Unarchive it.');
  if (!found.hasIssuesEnabled) return lacking(name, 'it has no issues', 'Switch issues on in its settings.');
  // An App's rights are in its permissions, whatever this says of it.
  if (grants.permissions !== undefined) return passed(name, 'it is there, and the App is installed on it');
  if (['WRITE', 'MAINTAIN', 'ADMIN'].includes(found.viewerPermission ?? ''))
    return passed(name, `it may push, label and open pull requests (${found.viewerPermission})`);
  return lacking(
    name,
    `its permission is ${found.viewerPermission ?? 'none'}, which may neither push nor create labels`,
    'Give the account the permission Write.',
  );
}

function checkApp({ permissions }: Grants, name: string): readonly Finding[] {
  if (permissions === undefined) return [];
  return NEEDED_OF_APP.map(([what, permission, level]) => {
    const has = permissions[permission];
    const enough = has === level || has === 'write' || has === 'admin';
    const line = `${name}: ${what}`;
    if (enough) return passed(line, `the App has ${permission}: ${has}`);
    const why = `the App has ${permission}: ${has ?? 'none'}`;
    return lacking(
      line,
      why,
      `Give the App ${permission}: ${level}, and accept it where the App is installed.`,
    );
  });
}

/**
 * Implements the routes of GitHub Apps: a signed assertion identifies the app and is exchanged for
 * a one-hour token.
 */
import { createPublicKey, verify } from 'node:crypto';
import { formatGithubTime } from '../graphql/shape.ts';
import { toMessageResponse } from '../http/answer.ts';
import { ALL_APP_PERMISSIONS } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { AppInstallation, GithubToken, GithubWorld } from '../model/world.ts';
import { toAccountJson, toRepositoryJson } from './json.ts';
import type { RestRequest, RestRoute } from './route.ts';

/** GitHub's limits. */
const MAX_ASSERTION_SECONDS = 600;
const TOKEN_SECONDS = 3600;

export const APP_ROUTES: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/app',
    as: 'app',
    answer: (asked) =>
      withAppInstallation(asked, ({ appId, slug, owner, permissions }) => ({
        status: 200,
        body: {
          id: appId,
          slug,
          name: slug,
          owner: toAccountJson(owner, asked.desk.url),
          permissions: permissions ?? ALL_APP_PERMISSIONS,
          html_url: `${asked.desk.url}/apps/${slug}`,
        },
      })),
  },
  {
    method: 'GET',
    path: '/app/installations',
    as: 'app',
    answer: (asked) =>
      withAppInstallation(asked, (installation) => ({
        status: 200,
        body: [toInstallationJson(installation, asked.desk.url)],
      })),
  },
  ...(['/orgs/{org}/installation', '/users/{username}/installation'] as const).map(
    (path): RestRoute => ({
      method: 'GET',
      path,
      as: 'app',
      answer: (asked) =>
        withAppInstallation(asked, (installation) => {
          const { org, username } = asked.parameters;
          const { login, type } = installation.owner;
          const wanted = (type === 'Organization' ? org : username) ?? '';
          if (login.toLowerCase() !== wanted.toLowerCase()) throw new GithubRefusal('NOT_FOUND', 'Not Found');
          return { status: 200, body: toInstallationJson(installation, asked.desk.url) };
        }),
    }),
  ),
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/installation',
    as: 'app',
    answer: (asked) =>
      withAppInstallation(asked, (installation) => {
        const { owner, repo } = asked.parameters;
        const repository = asked.desk.world.repositories.get(`${owner}/${repo}`.toLowerCase());
        if (repository?.owner !== installation.owner) throw new GithubRefusal('NOT_FOUND', 'Not Found');
        return { status: 200, body: toInstallationJson(installation, asked.desk.url) };
      }),
  },
  {
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    as: 'app',
    answer: (asked) =>
      withAppInstallation(asked, (installation) => {
        if (Number(asked.parameters.installation_id) !== installation.id)
          throw new GithubRefusal('NOT_FOUND', 'Not Found');
        const repositories = resolveWantedRepositories(asked, installation);
        const names = repositories?.map(({ name }) => name.toLowerCase());
        const token = createInstallationToken(asked.desk.world, installation, asked.body.permissions, names);
        return {
          status: 201,
          body: {
            token: token.value,
            expires_at: formatGithubTime(token.expiresAt),
            permissions: token.permissions ?? ALL_APP_PERMISSIONS,
            repository_selection: repositories === undefined ? 'all' : 'selected',
            ...(repositories === undefined ? {} : { repositories }),
          },
        };
      }),
  },
];

function createInstallationToken(
  world: GithubWorld,
  installation: AppInstallation,
  wanted: unknown,
  repositories: readonly string[] | undefined,
): GithubToken {
  const asked = wanted as Readonly<Record<string, 'read' | 'write'>> | undefined;
  const given = installation.permissions;
  if (asked !== undefined && given !== undefined) {
    const more = Object.entries(asked).some(
      ([name, level]) => !(given[name] === 'write' || given[name] === level),
    );
    if (more)
      throw new GithubRefusal(
        'UNPROCESSABLE',
        'The permissions requested are not granted to this installation.',
      );
  }
  const token: GithubToken = {
    value: `ghs_${String(world.identity('T').databaseId).padStart(36, '0')}`,
    account: installation.bot,
    scopes: undefined,
    installation,
    permissions: asked ?? given,
    repositories,
    expiresAt: world.now() + TOKEN_SECONDS,
  };
  world.tokens.set(token.value, token);
  return token;
}

function resolveWantedRepositories({ desk, body }: RestRequest, { owner }: AppInstallation) {
  const names = body.repositories as readonly string[] | undefined;
  return names?.map((name) => {
    const repository = desk.world.repositories.get(`${owner.login}/${name}`.toLowerCase());
    if (repository === undefined) {
      throw new GithubRefusal(
        'UNPROCESSABLE',
        'There is at least one repository that does not exist or is not accessible to the parent installation.',
      );
    }
    return toRepositoryJson(repository, desk.url);
  });
}

function toInstallationJson({ id, appId, slug, owner, permissions }: AppInstallation, url: string) {
  return {
    id,
    app_id: appId,
    app_slug: slug,
    account: toAccountJson(owner, url),
    target_type: owner.type,
    repository_selection: 'all',
    permissions: permissions ?? ALL_APP_PERMISSIONS,
    access_tokens_url: `${url}/api/v3/app/installations/${id}/access_tokens`,
  };
}

function withAppInstallation(
  asked: RestRequest,
  answer: (installation: AppInstallation) => ReturnType<RestRoute['answer']>,
) {
  const found = readAssertion(asked.desk.world, asked.secret ?? '');
  return typeof found === 'string' ? toMessageResponse(401, found) : answer(found);
}

/** Returns the installation, or GitHub's error text if the assertion is invalid. */
function readAssertion(world: GithubWorld, assertion: string): AppInstallation | string {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  const read = (part: string): Record<string, unknown> => {
    try {
      return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    } catch {
      return {};
    }
  };
  const { alg } = read(head);
  if (alg !== 'RS256') return 'A JSON web token could not be decoded';
  const { iss, exp, iat } = read(claims);
  const installation = [...world.installations.values()].find(({ appId }) => String(appId) === String(iss));
  if (installation === undefined) return 'Integration not found';
  const key = createPublicKey(installation.publicKey);
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))) {
    return 'A JSON web token could not be decoded';
  }
  const now = world.now();
  if (typeof exp !== 'number' || exp <= now)
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
  if (exp > now + MAX_ASSERTION_SECONDS) return "'Expiration time' claim ('exp') is too far in the future";
  if (typeof iat !== 'number' || iat > now)
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  return installation;
}

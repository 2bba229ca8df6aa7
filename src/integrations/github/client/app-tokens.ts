/**
 * Creates a GitHub App's tokens from its private key, and caches each until shortly before it
 * expires. Also creates token sources that always return the same token.
 */

import githubAppJwt from 'universal-github-app-jwt';
import { z } from 'zod';
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import { extractErrorText, findAnswerFault } from './answer-fault.ts';
import type { GithubRequest, GithubResponse, TokenSource } from './client.ts';
import { createLimitFault, findRateLimit } from './rate-limit.ts';
import type { GithubTransport } from './transport.ts';

/**
 * A token is valid for one hour. Renewing it five minutes early leaves enough time for the longest
 * git command.
 */
const RENEW_BEFORE_EXPIRY_MS = 300_000;

export interface GithubApp {
  readonly appId: number;
  /** Private key in PEM format, as GitHub issues it. */
  readonly privateKey: string;
  readonly installationId?: number | undefined;
}

interface InstallationToken {
  readonly token: string;
  readonly expiresAt: number;
  readonly permissions: Readonly<Record<string, string>>;
}

export interface AppTokens extends TokenSource {
  /**
   * Creates a separate token to hand out, limited to these repositories of the installation's
   * owner.
   */
  fresh(repositories: readonly string[]): Promise<InstallationToken>;
  /**
   * Returns the installation's permissions, such as `{ issues: 'write' }`, as of the last token.
   */
  permissions(): Promise<InstallationToken['permissions']>;
}

export interface AppTokensOptions {
  readonly transport: GithubTransport;
  readonly clock: Clock;
  readonly place: InstallationTarget | undefined;
}

const tokenAnswer = z.object({
  token: z.string().min(1),
  expires_at: z.iso.datetime({ offset: true }),
  permissions: z.record(z.string(), z.string()).default({}),
});

export function createAppTokens(
  app: GithubApp,
  { transport, clock, place: target }: AppTokensOptions,
): AppTokens {
  const name = `GitHub App ${app.appId}`;
  let installation: Promise<number> | undefined;
  let cached: InstallationToken | undefined;
  /**
   * The renewal that concurrent callers share. No caller can abort it; the transport limits its
   * duration.
   */
  let renewal: Promise<InstallationToken> | undefined;

  async function askAsApp(outgoing: GithubRequest): Promise<GithubResponse> {
    const jwt = await createAppJwt(app, name);
    const answer = await transport.send(outgoing, jwt);
    const limit = findRateLimit(answer, 'rest', clock.now());
    if (limit !== undefined)
      throw createLimitFault(limit, name, quoteAnswer(extractErrorText(answer), [jwt]));
    const fault = findAnswerFault(answer, outgoing, jwt);
    if (fault !== undefined) throw fault;
    return answer;
  }

  function getInstallationId(): Promise<number> {
    if (app.installationId !== undefined) return Promise.resolve(app.installationId);
    if (target === undefined)
      return Promise.reject(new LegionError('github.unauthorized', `${name} needs its installation_id`));
    installation ??= resolveInstallation(target, askAsApp).catch((error: unknown) => {
      installation = undefined;
      throw error;
    });
    return installation;
  }

  async function createToken(repositories: readonly string[] = []): Promise<InstallationToken> {
    const { data } = await askAsApp({
      route: 'POST /app/installations/{installation_id}/access_tokens',
      parameters: {
        installation_id: await getInstallationId(),
        ...(repositories.length > 0 && { repositories }),
      },
    });
    const answer = tokenAnswer.safeParse(data);
    // Omits zod's message, which may quote the token.
    if (!answer.success)
      throw new LegionError('github.unavailable', `GitHub returned an invalid token for ${name}`);
    const { token, expires_at, permissions } = answer.data;
    return { token, expiresAt: Date.parse(expires_at), permissions };
  }

  function renewToken(): Promise<InstallationToken> {
    renewal ??= createToken()
      .then((fresh) => {
        cached = fresh;
        return fresh;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  async function getCurrent(): Promise<InstallationToken> {
    const isValid = cached !== undefined && cached.expiresAt - clock.now() > RENEW_BEFORE_EXPIRY_MS;
    return isValid && cached !== undefined ? cached : renewToken();
  }

  return {
    describe: async () => name,
    token: async () => (await getCurrent()).token,
    permissions: async () => (await getCurrent()).permissions,
    async renew(refused) {
      // Another request may have renewed the token since the request with the rejected token was
      // sent.
      const { token } = cached !== undefined && cached.token !== refused ? cached : await renewToken();
      return token;
    },
    fresh: createToken,
  };
}

/** Drops the library's error message, which might quote the key. */
async function createAppJwt({ appId, privateKey }: GithubApp, name: string): Promise<string> {
  try {
    const { token } = await githubAppJwt({ id: appId, privateKey });
    return token;
  } catch {
    throw new LegionError('github.unauthorized', `The private key of ${name} is not valid PEM`);
  }
}

/** The owner or repository that Legion works on, where the App must be installed. */
export interface InstallationTarget {
  readonly owner: string;
  readonly repo?: string | undefined;
}

const installation = z.object({ id: z.int().positive() });

/**
 * Finds a GitHub App's installation if its id is not configured. `send` sends a request as the App
 * and rejects with `github.missing` if there is no installation.
 */
async function resolveInstallation(
  target: InstallationTarget,
  send: (outgoing: GithubRequest) => Promise<GithubResponse>,
): Promise<number> {
  for (const { route, parameters } of listInstallationRoutes(target)) {
    const answer = await toUndefinedIfMissing(send({ route, parameters }));
    const parsed = installation.safeParse(answer?.data);
    if (parsed.success) return parsed.data.id;
  }
  const { owner, repo } = target;
  const installationTarget = repo === undefined ? owner : `${owner}/${repo}`;
  throw new LegionError('github.missing', `The App is not installed on ${installationTarget}`);
}

/**
 * Tries the repository first, because an App may be installed on only some of an owner's
 * repositories.
 */
function listInstallationRoutes({
  owner,
  repo,
}: InstallationTarget): readonly Pick<GithubRequest, 'route' | 'parameters'>[] {
  return [
    ...(repo === undefined
      ? []
      : [{ route: 'GET /repos/{owner}/{repo}/installation', parameters: { owner, repo } }]),
    { route: 'GET /orgs/{org}/installation', parameters: { org: owner } },
    { route: 'GET /users/{username}/installation', parameters: { username: owner } },
  ];
}

async function toUndefinedIfMissing(pending: Promise<GithubResponse>): Promise<GithubResponse | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'github.missing') return undefined;
    throw error;
  }
}

/** Creates a source that always returns the same token. */
export function createFixedTokenSource(token: string, description: string): TokenSource {
  return {
    describe: async () => description,
    token: async () => requireSendable(token, description),
    renew: async () => undefined,
  };
}

/** Rejects a token with line breaks here, because the HTTP client's error would quote the token. */
export function requireSendable(token: string, description: string): string {
  if (/^[\x21-\x7e]{1,1000}$/.test(token)) return token;
  throw new LegionError(
    'github.unauthorized',
    `The token from ${description} is empty or contains invalid characters`,
  );
}

/** A GitHub App's tokens: made of its private key, held until shortly before their end, and never twice at once. */
import githubAppJwt from 'universal-github-app-jwt';
import { z } from 'zod';
import { LegionError } from '../core/model/fault.ts';
import type { Clock } from '../domain/clock.ts';
import { quoteAnswer } from '../lib/text/redact.ts';
import { answerFault, limitFault } from './answer-fault.ts';
import { installationAt, type Place } from './installation.ts';
import { rateLimitIn } from './rate-limit.ts';
import { saidIn } from './said-in.ts';
import type { TokenSource } from './token-source.ts';
import type { Answer, Outgoing, Transport } from './transport.ts';

/** A token lives an hour. Five minutes are as long as one git command may take with it. */
const RENEWED_BEFORE_END_MS = 300_000;

export interface GithubApp {
  readonly appId: number;
  /** PEM, as GitHub gives it. */
  readonly privateKey: string;
  readonly installationId?: number | undefined;
}

interface InstallationToken {
  readonly token: string;
  readonly expiresAt: number;
  readonly permissions: Readonly<Record<string, string>>;
}

export interface AppTokens extends TokenSource {
  /** A token of its own for somebody else, for these repositories of the installation's owner only. */
  fresh(repositories: readonly string[]): Promise<InstallationToken>;
  /** What the installation may do: `{ issues: 'write' }`; as of the last token. */
  permissions(): Promise<InstallationToken['permissions']>;
}

export interface AppSurroundings {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly place: Place | undefined;
}

const tokenAnswer = z.object({
  token: z.string().min(1),
  expires_at: z.iso.datetime({ offset: true }),
  permissions: z.record(z.string(), z.string()).default({}),
});

export function appTokens(app: GithubApp, { transport, clock, place }: AppSurroundings): AppTokens {
  const name = `GitHub App ${app.appId}`;
  let installation: Promise<number> | undefined;
  let held: InstallationToken | undefined;
  /** All who need a new one at the same time wait for the same; none of them can abort it, the transport bounds it. */
  let renewal: Promise<InstallationToken> | undefined;

  async function askAsApp(outgoing: Outgoing): Promise<Answer> {
    const jwt = await signAppJwt(app, name);
    const answer = await transport.send(outgoing, jwt);
    const limit = rateLimitIn(answer, 'rest', clock.now());
    if (limit !== undefined) throw limitFault(limit, name, quoteAnswer(saidIn(answer), [jwt]));
    const fault = answerFault(answer, outgoing, jwt);
    if (fault !== undefined) throw fault;
    return answer;
  }

  function installationId(): Promise<number> {
    if (app.installationId !== undefined) return Promise.resolve(app.installationId);
    if (place === undefined)
      return Promise.reject(new LegionError('github.unauthorized', `${name} needs its installation_id`));
    installation ??= installationAt(place, askAsApp).catch((error: unknown) => {
      installation = undefined;
      throw error;
    });
    return installation;
  }

  async function make(repositories: readonly string[] = []): Promise<InstallationToken> {
    const { data } = await askAsApp({
      route: 'POST /app/installations/{installation_id}/access_tokens',
      parameters: {
        installation_id: await installationId(),
        ...(repositories.length > 0 && { repositories }),
      },
    });
    const answer = tokenAnswer.safeParse(data);
    // Without zod's words: they may quote what they complain about.
    if (!answer.success)
      throw new LegionError('github.unavailable', `GitHub gave ${name} something that is no token`);
    const { token, expires_at, permissions } = answer.data;
    return { token, expiresAt: Date.parse(expires_at), permissions };
  }

  function renew(): Promise<InstallationToken> {
    renewal ??= make()
      .then((made) => {
        held = made;
        return made;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  async function current(): Promise<InstallationToken> {
    const lasts = held !== undefined && held.expiresAt - clock.now() > RENEWED_BEFORE_END_MS;
    return lasts && held !== undefined ? held : renew();
  }

  return {
    words: async () => name,
    token: async () => (await current()).token,
    permissions: async () => (await current()).permissions,
    async renewed(refused) {
      // Somebody else may have renewed it since the refused request went out.
      const { token } = held !== undefined && held.token !== refused ? held : await renew();
      return token;
    },
    fresh: make,
  };
}

/** Drops the library's own message: it might quote the key. */
async function signAppJwt({ appId, privateKey }: GithubApp, name: string): Promise<string> {
  try {
    const { token } = await githubAppJwt({ id: appId, privateKey });
    return token;
  } catch {
    throw new LegionError('github.unauthorized', `the private key of ${name} is not one in PEM form`);
  }
}

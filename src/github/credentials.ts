/** Who Legion and its roles are on GitHub, and what they hand to a worker or to git for that. */
import { z } from 'zod';
import { type Fault, LegionError } from '../core/model/fault.ts';
import type { AccountName } from '../integrations/github/client/account.ts';
import type { Accounts } from '../integrations/github/client/accounts.ts';
import type { Addresses } from './addresses.ts';
import type { GithubClient, Role } from './client.ts';
import { gitEnvironment } from './git-environment.ts';

export interface Credentials {
  /** For `legion doctor` and the message at the start: Legion itself, then each role. */
  describeIdentity(): Promise<readonly IdentityNote[]>;
  /**
   * For a worker of this role: of an App always a new one, for these repositories (`owner/name`) only; undefined where the
   * role has no identity of its own, because Legion's own token is not for workers. Never a private key.
   */
  workerToken(role: Role, repositories: readonly string[]): Promise<WorkerToken | undefined>;
  /** What GitHub has said that the account may do, as far as it says so at all. */
  grants(role?: Role): Promise<Grants>;
  gitIdentity(role?: Role): Promise<{ readonly name: string; readonly email: string }>;
  /** The environment of one git command that talks to this GitHub over HTTPS. */
  gitAccess(role?: Role): Promise<Readonly<Record<string, string>>>;
}

export interface IdentityNote {
  readonly who: AccountName;
  /** False where a role acts as Legion itself. */
  readonly own: boolean;
  /** Which credential is used, in words. */
  readonly uses: string;
  /** The account's name; the fault where GitHub would not say. */
  readonly login: string | Fault;
}

export interface Grants {
  /** Of a classic personal access token; undefined for every other kind. */
  readonly scopes: readonly string[] | undefined;
  /** Of an App's installation: `{ issues: 'write' }`; undefined for tokens of people. */
  readonly permissions: Readonly<Record<string, string>> | undefined;
}

interface WorkerToken {
  readonly token: string;
  /** Undefined where only its giver knows. */
  readonly expiresAt: number | undefined;
}

export interface CredentialsOptions {
  readonly client: Pick<GithubClient, 'login' | 'rest'>;
  readonly accounts: Accounts;
  readonly addresses: Addresses;
}

const user = z.object({ id: z.int().positive() });

export function openCredentials({ client, accounts, addresses }: CredentialsOptions): Credentials {
  async function describe(role: Role | undefined): Promise<IdentityNote> {
    const account = accounts.of(role);
    const who = role ?? 'legion';
    const uses = await account.source.words();
    return { who, own: account.name === who, uses, login: await client.login(role).catch(faultOf) };
  }

  return {
    describeIdentity: () => Promise.all([describe(undefined), describe('impl'), describe('review')]),

    async workerToken(role, repositories) {
      const account = accounts.of(role);
      if (account.name !== role) return undefined;
      const app = accounts.app(account);
      if (app === undefined) return { token: await account.source.token(), expiresAt: undefined };
      const { token, expiresAt } = await app.fresh(repositories.map(nameOf));
      return { token, expiresAt };
    },

    async grants(role) {
      // Scopes come with any answer; there may not have been one yet.
      await client.login(role);
      const account = accounts.of(role);
      return { scopes: account.scopes(), permissions: await accounts.app(account)?.permissions() };
    },

    async gitIdentity(role) {
      const login = await client.login(role);
      const as = role === undefined ? {} : { as: role };
      const { data } = await client.rest('GET /users/{username}', { username: login }, as);
      const found = user.safeParse(data);
      if (!found.success) throw new LegionError('github.unavailable', `GitHub gave no number for ${login}`);
      // GitHub's own form: it links the commit to the account and shows nobody's real address.
      return { name: login, email: `${found.data.id}+${login}@users.noreply.${hostname(addresses)}` };
    },

    gitAccess: async (role) => gitEnvironment(addresses.web, await accounts.of(role).source.token()),
  };
}

/** An installation has one owner; GitHub wants the names alone. */
function nameOf(repository: string): string {
  return repository.slice(repository.lastIndexOf('/') + 1);
}

function hostname({ host }: Addresses): string {
  return host.replace(/:\d+$/, '');
}

function faultOf(error: unknown): Fault {
  if (error instanceof LegionError) return error.fault;
  throw error;
}

/** Identifies Legion and its roles on GitHub and provides credentials for workers and git. */
import { z } from 'zod';
import { type Fault, LegionError } from '../../../core/model/fault.ts';
import type { AccountName } from './account.ts';
import type { GithubAccounts } from './accounts.ts';
import type { GithubClient, GithubRole } from './client.ts';
import type { GithubAddresses } from './transport.ts';

export interface GithubCredentials {
  /** Describes Legion and each role, for `legion doctor` and the startup message. */
  describeIdentity(): Promise<readonly IdentityNote[]>;
  /**
   * Returns a token for a worker of this role. An App always creates a new one, limited to these
   * repositories (`owner/name`). Undefined if the role has no identity of its own, because workers
   * never get Legion's token. Never returns a private key.
   */
  workerToken(role: GithubRole, repositories: readonly string[]): Promise<WorkerToken | undefined>;
  /** Returns the account's known scopes and permissions, as far as GitHub reports them. */
  grants(role?: GithubRole): Promise<GithubGrants>;
  gitIdentity(role?: GithubRole): Promise<{ readonly name: string; readonly email: string }>;
  /** Returns the environment for one git command that talks to this GitHub over HTTPS. */
  gitAccess(role?: GithubRole): Promise<Readonly<Record<string, string>>>;
}

export interface IdentityNote {
  readonly who: AccountName;
  /** False if the role has no account of its own and acts as Legion. */
  readonly own: boolean;
  /** Description of the credential in use, for people. */
  readonly uses: string;
  /** The account's name, or the error if GitHub did not return it. */
  readonly login: string | Fault;
}

export interface GithubGrants {
  /** Scopes of a classic personal access token. Undefined for other kinds. */
  readonly scopes: readonly string[] | undefined;
  /**
   * Permissions of an App's installation, such as `{ issues: 'write' }`. Undefined for people's
   * tokens.
   */
  readonly permissions: Readonly<Record<string, string>> | undefined;
}

interface WorkerToken {
  readonly token: string;
  /** Undefined if the expiry is known only to the issuer. */
  readonly expiresAt: number | undefined;
}

export interface CredentialsOptions {
  readonly client: Pick<GithubClient, 'login' | 'rest'>;
  readonly accounts: GithubAccounts;
  readonly addresses: GithubAddresses;
}

const user = z.object({ id: z.int().positive() });

export function openCredentials({ client, accounts, addresses }: CredentialsOptions): GithubCredentials {
  async function describe(role: GithubRole | undefined): Promise<IdentityNote> {
    const account = accounts.of(role);
    const accountName = role ?? 'legion';
    const uses = await account.source.describe();
    return {
      who: accountName,
      own: account.name === accountName,
      uses,
      login: await client.login(role).catch(toFault),
    };
  }

  return {
    describeIdentity: () => Promise.all([describe(undefined), describe('impl'), describe('review')]),

    async workerToken(role, repositories) {
      const account = accounts.of(role);
      if (account.name !== role) return undefined;
      const app = accounts.app(account);
      if (app === undefined) return { token: await account.source.token(), expiresAt: undefined };
      const { token, expiresAt } = await app.fresh(repositories.map(toRepositoryName));
      return { token, expiresAt };
    },

    async grants(role) {
      // GitHub sends the scopes with every response, so this request makes sure that at least one
      // response has arrived.
      await client.login(role);
      const account = accounts.of(role);
      return { scopes: account.scopes(), permissions: await accounts.app(account)?.permissions() };
    },

    async gitIdentity(role) {
      const login = await client.login(role);
      const as = role === undefined ? {} : { as: role };
      const { data } = await client.rest('GET /users/{username}', { username: login }, as);
      const parsed = user.safeParse(data);
      if (!parsed.success)
        throw new LegionError('github.unavailable', `GitHub returned no user id for ${login}`);
      // GitHub's noreply format links the commit to the account and reveals no real address.
      return { name: login, email: `${parsed.data.id}+${login}@users.noreply.${toHostname(addresses)}` };
    },

    gitAccess: async (role) => buildGitEnvironment(addresses.web, await accounts.of(role).source.token()),
  };
}

/** GitHub expects bare names, because an installation has a single owner. */
function toRepositoryName(repository: string): string {
  return repository.slice(repository.lastIndexOf('/') + 1);
}

function toHostname({ host }: GithubAddresses): string {
  return host.replace(/:\d+$/, '');
}

function toFault(error: unknown): Fault {
  if (error instanceof LegionError) return error.fault;
  throw error;
}

/**
 * Builds the environment with which one git command signs in to GitHub. Keeps the token out of
 * arguments, URLs and files.
 */
export function buildGitEnvironment(web: string, token: string): Readonly<Record<string, string>> {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const header = `http.${web}/.extraHeader`;
  const settings: readonly (readonly [string, string])[] = [
    // An empty value removes the headers set in config files, because GitHub rejects duplicate
    // headers.
    [header, ''],
    [header, `Authorization: Basic ${basic}`],
    // Disables credential helpers, which could supply another account or store this token.
    ['credential.helper', ''],
  ];
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: `${settings.length}`,
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** Explains the consequence if one account both writes and reviews a pull request. */
export const NO_NATIVE_REVIEW =
  'GitHub does not accept a review from the author of a pull request, so verdicts are set as labels';

/**
 * Describes, for startup and `legion doctor`, which account acts for Legion and for each role on
 * GitHub.
 */
export function describeIdentities(notes: readonly IdentityNote[]): readonly string[] {
  const lines = notes.flatMap((note) =>
    note.own ? [`${describeSubject(note)} on GitHub ${describeAccount(note)} (${note.uses}).`] : [],
  );
  const sharedRoles = notes.filter(({ own }) => !own).map(({ who }) => who);
  if (sharedRoles.length === 0) return lines;
  const predicate =
    sharedRoles.length === 1 ? 'has no account of its own and acts' : 'have no accounts of their own and act';
  const why = hasSharedAccount(notes) ? `: ${NO_NATIVE_REVIEW}` : '';
  const roles = `${sharedRoles.length === 1 ? 'Role' : 'Roles'} ${sharedRoles.join(' and ')}`;
  return [...lines, `${roles} ${predicate} as Legion${why}.`];
}

/**
 * Returns whether the same account writes and reviews. If GitHub does not report the logins,
 * compares the configured identities.
 */
export function hasSharedAccount(notes: readonly IdentityNote[]): boolean {
  const [impl, review] = (['impl', 'review'] as const).map((role) => notes.find(({ who }) => who === role));
  if (typeof impl?.login === 'string' && typeof review?.login === 'string')
    return impl.login === review.login;
  return impl?.own === false && review?.own === false;
}

function describeSubject({ who }: IdentityNote): string {
  return who === 'legion' ? 'Legion' : `Role ${who}`;
}

function describeAccount({ login }: IdentityNote): string {
  return typeof login === 'string' ? `acts as ${login}` : `uses an unknown account: ${login.message}`;
}

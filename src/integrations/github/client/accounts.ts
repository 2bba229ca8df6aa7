/**
 * Maps roles to accounts (a role's own account, or Legion's if the role has none) and finds the
 * machine's ambient token.
 */
import { isAbsolute } from 'node:path';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { KILL_AT_ONCE, run } from '../../../lib/process/run.ts';
import { type AccountName, type GithubAccount, openAccount } from './account.ts';
import {
  type AppTokens,
  type AppTokensOptions,
  createAppTokens,
  createFixedTokenSource,
  type GithubApp,
  requireSendable,
} from './app-tokens.ts';
import type { GithubRole, TokenSource } from './client.ts';
import type { GithubAddresses } from './transport.ts';

/**
 * An identity with its secrets in plain text. The configuration has already resolved any references
 * to these secrets.
 */
type GithubIdentity =
  | ({ readonly kind: 'app' } & GithubApp)
  | { readonly kind: 'token'; readonly token: string };

/**
 * Identities by account. A role without an identity uses Legion's, and Legion without an identity
 * uses the machine's ambient credentials.
 */
export type GithubIdentities = { readonly [Name in AccountName]?: GithubIdentity | undefined };

export interface GithubAccounts {
  of(role: GithubRole | undefined): GithubAccount;
  /** Returns the App behind an account. Undefined if the account uses a token. */
  app(account: GithubAccount): AppTokens | undefined;
}

export interface AccountsOptions extends AppTokensOptions {
  readonly identities: GithubIdentities;
  readonly environment: EnvironmentVariables;
  readonly addresses: GithubAddresses;
}

export function openAccounts(options: AccountsOptions): GithubAccounts {
  const { identities, environment, addresses, clock } = options;
  const apps = new Map<AccountName, AppTokens>();

  function openSource(name: AccountName, identity: GithubIdentity): TokenSource {
    if (identity.kind === 'token')
      return createFixedTokenSource(
        identity.token,
        `credentials.github.${name === 'legion' ? 'token' : name}`,
      );
    const app = createAppTokens(identity, options);
    apps.set(name, app);
    return app;
  }

  const legion = openAccount(
    'legion',
    identities.legion === undefined
      ? createAmbientTokenSource(environment, addresses)
      : openSource('legion', identities.legion),
    clock,
  );
  const openRoleAccount = (role: GithubRole): GithubAccount => {
    const identity = identities[role];
    return identity === undefined ? legion : openAccount(role, openSource(role, identity), clock);
  };
  const roles = { impl: openRoleAccount('impl'), review: openRoleAccount('review') };

  return {
    of: (role) => (role === undefined ? legion : roles[role]),
    app: ({ name }) => apps.get(name),
  };
}

/**
 * Uses the same variables as `gh`. Tokens for github.com must not reach other hosts, which have
 * variables of their own.
 */
const VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN'] as const;
const VARIABLES_ELSEWHERE = ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] as const;

interface AmbientToken {
  readonly token: string;
  readonly description: string;
}

/** Searches for a token only when one is needed. Asks `gh` again if GitHub rejects its token. */
function createAmbientTokenSource(environment: EnvironmentVariables, { host }: GithubAddresses): TokenSource {
  const variables = host === 'github.com' ? VARIABLES : VARIABLES_ELSEWHERE;
  let search: Promise<AmbientToken | undefined> | undefined;

  async function searchToken(): Promise<AmbientToken | undefined> {
    for (const name of variables) {
      const token = environment[name]?.trim() ?? '';
      if (token !== '') return { token, description: `the variable ${name}` };
    }
    const token = await readGhToken(environment, host);
    return token === undefined ? undefined : { token, description: '`gh auth token`' };
  }

  async function findToken(): Promise<AmbientToken | undefined> {
    search ??= searchToken();
    const result = await search;
    // A failed search is not cached, because a person may sign in at any time.
    if (result === undefined) search = undefined;
    return result;
  }

  async function requireToken(): Promise<string> {
    const foundToken = await findToken();
    if (foundToken !== undefined) return requireSendable(foundToken.token, foundToken.description);
    const message = `No GitHub token: neither credentials.github.token nor ${variables.join(' or ')} is set, and \`gh\` has no token for ${host}`;
    throw new LegionError('github.unauthorized', message);
  }

  return {
    describe: async () => (await findToken())?.description ?? 'nothing',
    token: requireToken,
    async renew(refused) {
      // A second caller reuses the token that the first one looked up.
      if ((await findToken())?.token === refused) search = undefined;
      const other = (await findToken())?.token;
      return other === undefined || other === refused ? undefined : other;
    },
  };
}

/**
 * `gh` reads its token from a file or a keyring. A keyring that prompts a person must not delay
 * startup.
 */
const GH_TIMEOUT_MS = 5_000;
const OUTPUT_MAX_BYTES = 16_384;

/**
 * Variables that `gh` needs to find its settings and its keyring. Excludes token variables, because
 * `gh` would simply return the token from them.
 */
const PASSED: readonly string[] = [
  'HOME',
  'GH_CONFIG_DIR',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** Returns undefined if `gh` is missing or not signed in to this host. */
async function readGhToken(environment: EnvironmentVariables, host: string): Promise<string | undefined> {
  // Ignores relative entries of the PATH, because they would depend on the directory in which
  // Legion was started.
  const { PATH = '' } = environment;
  const path = PATH.split(':').filter(isAbsolute).join(':');
  if (path === '') return undefined;
  const chosen = PASSED.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = {
    ...Object.fromEntries(chosen),
    PATH: path,
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_PROMPT_DISABLED: '1',
  };
  const limits = { timeoutMs: GH_TIMEOUT_MS, maxOutputBytes: OUTPUT_MAX_BYTES, ladder: KILL_AT_ONCE };
  try {
    const { status, stdout } = await run('gh', ['auth', 'token', '--hostname', host], {
      env,
      cwd: '/',
      ...limits,
    });
    return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
  } catch {
    return undefined;
  }
}

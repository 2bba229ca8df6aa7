/** Which account acts for whom: a role's own, or Legion's where a role has none. */
import { isAbsolute } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Addresses } from '../../../github/addresses.ts';
import {
  type AppSurroundings,
  type AppTokens,
  appTokens,
  type GithubApp,
} from '../../../github/app-tokens.ts';
import type { Role } from '../../../github/client.ts';
import { fixedToken, sendable, type TokenSource } from '../../../github/token-source.ts';
import { KILL_AT_ONCE, run } from '../../../lib/process/run.ts';
import { type Account, type AccountName, openAccount } from './account.ts';

/** Secrets as text; reading references to them is the configuration's. */
type Identity = ({ readonly kind: 'app' } & GithubApp) | { readonly kind: 'token'; readonly token: string };

/** Whoever is absent falls back: a role to Legion itself, Legion itself to what lies about on the machine. */
export type Identities = { readonly [Name in AccountName]?: Identity | undefined };

export interface Accounts {
  of(role: Role | undefined): Account;
  /** The App behind an account; undefined where it has a token instead. */
  app(account: Account): AppTokens | undefined;
}

export interface AccountsOptions extends AppSurroundings {
  readonly identities: Identities;
  readonly environment: Environment;
  readonly addresses: Addresses;
}

export function openAccounts(options: AccountsOptions): Accounts {
  const { identities, environment, addresses, clock } = options;
  const apps = new Map<AccountName, AppTokens>();

  function sourceOf(name: AccountName, identity: Identity): TokenSource {
    if (identity.kind === 'token')
      return fixedToken(identity.token, `credentials.github.${name === 'legion' ? 'token' : name}`);
    const app = appTokens(identity, options);
    apps.set(name, app);
    return app;
  }

  const legion = openAccount(
    'legion',
    identities.legion === undefined
      ? ambientToken(environment, addresses)
      : sourceOf('legion', identities.legion),
    clock,
  );
  const roleAccount = (role: Role): Account => {
    const identity = identities[role];
    return identity === undefined ? legion : openAccount(role, sourceOf(role, identity), clock);
  };
  const roles = { impl: roleAccount('impl'), review: roleAccount('review') };

  return {
    of: (role) => (role === undefined ? legion : roles[role]),
    app: ({ name }) => apps.get(name),
  };
}

/** The rule of `gh`: a token for github.com is nobody else's business, so other hosts have variables of their own. */
const VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN'] as const;
const VARIABLES_ELSEWHERE = ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] as const;

interface Found {
  readonly token: string;
  readonly words: string;
}

/** Looked for once it is needed; a token of `gh` is asked for again when GitHub no longer takes it. */
function ambientToken(environment: Environment, { host }: Addresses): TokenSource {
  const variables = host === 'github.com' ? VARIABLES : VARIABLES_ELSEWHERE;
  let looked: Promise<Found | undefined> | undefined;

  async function look(): Promise<Found | undefined> {
    for (const name of variables) {
      const token = environment[name]?.trim() ?? '';
      if (token !== '') return { token, words: `the variable ${name}` };
    }
    const token = await ghToken(environment, host);
    return token === undefined ? undefined : { token, words: '`gh auth token`' };
  }

  async function found(): Promise<Found | undefined> {
    looked ??= look();
    const result = await looked;
    // A person may sign in at any time: only what was found is kept.
    if (result === undefined) looked = undefined;
    return result;
  }

  async function token(): Promise<string> {
    const it = await found();
    if (it !== undefined) return sendable(it.token, it.words);
    const says = `neither credentials.github.token nor ${variables.join(' or ')} is set, and \`gh\` has no token for ${host}`;
    throw new LegionError('github.unauthorized', says);
  }

  return {
    words: async () => (await found())?.words ?? 'nothing',
    token,
    async renewed(refused) {
      // Whoever comes second finds the one that the first has looked up.
      if ((await found())?.token === refused) looked = undefined;
      const other = (await found())?.token;
      return other === undefined || other === refused ? undefined : other;
    },
  };
}

/** It reads a file or asks a keyring; a keyring that waits for a person must not hold up a start. */
const GH_TIMEOUT_MS = 5_000;
const OUTPUT_MAX_BYTES = 16_384;

/** Where `gh` keeps its settings, and how it reaches a keyring; above all no token, which it would only give back. */
const PASSED: readonly string[] = [
  'HOME',
  'GH_CONFIG_DIR',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** `undefined` where there is no `gh`, or it is not signed in to this host. */
async function ghToken(environment: Environment, host: string): Promise<string | undefined> {
  // A relative folder on the search path would mean whatever folder Legion was started in.
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

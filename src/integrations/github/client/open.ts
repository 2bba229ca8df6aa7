/** Opens a client to one GitHub server that acts as Legion and its roles. */
import type { Clock } from '../../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { withAbortSignal } from '../../../lib/async/abortable.ts';
import type { ViewerQuery } from '../generated/client.ts';
import type { AccountName, GithubAccount } from './account.ts';
import { type GithubIdentities, openAccounts } from './accounts.ts';
import { findAnswerFault } from './answer-fault.ts';
import type { InstallationTarget } from './app-tokens.ts';
import type {
  GithubCallOptions,
  GithubClient,
  GithubQueryOptions,
  GithubRequest,
  GithubResponse,
  GithubRole,
  GithubVariables,
  RestAnswer,
} from './client.ts';
import { type GithubCredentials, openCredentials } from './credentials.ts';
import { isPartlyDone, readPartialData, requireGraphqlData } from './graphql-answer.ts';
import { type GithubPermissions, openPermissions } from './permissions.ts';
import type { GithubApi } from './rate-limit.ts';
import { type GithubTransport, openLanes, openTransport, parseAddresses } from './transport.ts';

export const VIEWER = 'query Viewer { viewer { login } }';

export interface GithubConnection extends GithubClient {
  readonly credentials: GithubCredentials;
  /** Cached write permissions, shared by all users of this client. */
  readonly permissions: GithubPermissions;
  /**
   * Aborts requests in flight and rejects all later ones. An aborted write may still have taken
   * effect.
   */
  close(): Promise<void>;
}

export interface GithubOptions {
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly url: string;
  readonly identities: GithubIdentities;
  /** Environment in which to look for ambient credentials. */
  readonly environment: EnvironmentVariables;
  /**
   * Owner or repository in which a GitHub App is installed, used if the installation's id is not
   * configured.
   */
  readonly place?: InstallationTarget | undefined;
  readonly clock: Clock;
  readonly writeSpacingMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export function openGithub(options: GithubOptions): GithubConnection {
  const { identities, environment, place, clock, timeoutMs, writeSpacingMs } = options;
  const addresses = parseAddresses(options.url);
  const closing = new AbortController();
  const transport = openTransport({ rest: addresses.rest, closing: closing.signal, timeoutMs });
  const lanes = openLanes({ clock, closing: closing.signal, writeSpacingMs });
  const accounts = openAccounts({ identities, environment, addresses, place, transport, clock });
  const logins = new Map<AccountName, Promise<string>>();

  function sendRequest<T>(
    account: GithubAccount,
    request: AccountRequest,
    read: (response: AccountResponse) => T,
  ): Promise<T> {
    const limit = account.findActiveLimit(request.api);
    // Rejects before queueing, so that the caller gets the rate limit error at once.
    if (limit !== undefined) return Promise.reject(limit);
    const lane = request.write ? lanes.write : lanes.read;
    return lane(async () => read(await sendAsAccount(transport, account, request)), request.signal);
  }

  function sendGraphql<T>(
    document: string,
    variables: GithubVariables,
    callOptions: GithubCallOptions & { readonly write: boolean },
    read: (response: AccountResponse) => unknown,
  ): Promise<T> {
    const { signal, write } = callOptions;
    const route = `POST ${addresses.graphql}`;
    const request: AccountRequest = {
      api: 'graphql',
      route,
      parameters: { query: document, variables },
      write,
      signal,
    };
    return sendRequest(accounts.of(callOptions.as), request, (response) => read(response) as T);
  }

  function query<T>(
    document: string,
    variables: GithubVariables,
    queryOptions: Partial<GithubQueryOptions>,
  ): Promise<T> {
    const { tolerates } = queryOptions;
    return sendGraphql(document, variables, { ...queryOptions, write: false }, ({ answer, secret }) =>
      requireGraphqlData(answer, { write: false, tolerates, secret }),
    );
  }

  async function callRest<T>(
    route: string,
    parameters: GithubVariables,
    callOptions: GithubCallOptions & { readonly etag?: string } = {},
  ): Promise<RestAnswer<T>> {
    const { signal, etag } = callOptions;
    // The address of the next page comes from a response, and the token must not be sent to any
    // other host.
    if (/^\S+ https?:/i.test(route) && !route.includes(` ${addresses.rest}/`))
      throw new LegionError('github.refused', 'The address of the next page is on another server');
    const write = !route.startsWith('GET ');
    const request: AccountRequest = { api: 'rest', route, parameters, write, signal, etag };
    return sendRequest(accounts.of(callOptions.as), request, ({ answer }) => toRestAnswer<T>(answer));
  }

  function getLogin(role?: GithubRole): Promise<string> {
    const { name } = accounts.of(role);
    const known = logins.get(name);
    if (known !== undefined) return known;
    const pending = queryViewer(role);
    logins.set(name, pending);
    pending.catch(() => logins.delete(name));
    return pending;
  }

  /**
   * Uses GraphQL, because REST's `GET /user` rejects App installations. Ignores the signal of any
   * caller, since several callers share the request.
   */
  async function queryViewer(as: GithubRole | undefined): Promise<string> {
    const queryOptions = as === undefined ? {} : { as };
    const answer = await query<ViewerQuery>(VIEWER, {}, queryOptions);
    return answer.viewer.login;
  }

  const client: GithubClient = {
    query,
    queryPartially: (document, variables, queryOptions) =>
      sendGraphql(document, variables, { ...queryOptions, write: false }, ({ answer, secret }) =>
        readPartialData(answer, secret),
      ),
    mutate: (document, variables, callOptions = {}) =>
      sendGraphql(document, variables, { ...callOptions, write: true }, ({ answer, secret }) =>
        requireGraphqlData(answer, { write: true, secret }),
      ),
    rest: callRest,
    login: getLogin,
    budget: () => accounts.of(undefined).budget(),
  };
  return {
    ...client,
    credentials: openCredentials({ client, accounts, addresses }),
    permissions: openPermissions(client, clock),
    async close() {
      closing.abort(new LegionError('github.unavailable', 'The GitHub client is closed'));
      await transport.idle();
    },
  };
}

/** Extracts the data, the etag and the next page of a REST response. */
function toRestAnswer<T>({ status, headers, data }: GithubResponse): RestAnswer<T> {
  const { etag, link = '' } = headers;
  const next = /<([^>]+)>;\s*rel="next"/.exec(link)?.[1];
  return {
    data: status === 304 ? undefined : (toText(data) as T),
    ...(etag !== undefined && { etag }),
    ...(next !== undefined && { next }),
  };
}

/** Decodes logs, which arrive as bytes without a declared type. */
function toText(data: unknown): unknown {
  return data instanceof ArrayBuffer ? new TextDecoder().decode(data) : data;
}

interface AccountRequest extends GithubRequest {
  readonly api: GithubApi;
  readonly write: boolean;
}

interface AccountResponse {
  readonly answer: GithubResponse;
  /** The token of the request, which must not appear in messages. */
  readonly secret: string;
}

/**
 * Sends one request as an account, unless the account is rate limited. Retries once with a new
 * token if GitHub rejects the old one.
 */
async function sendAsAccount(
  transport: GithubTransport,
  account: GithubAccount,
  request: AccountRequest,
): Promise<AccountResponse> {
  const { api, write, signal } = request;
  const activeLimit = account.findActiveLimit(api);
  if (activeLimit !== undefined) throw activeLimit;

  let secret = await withAbortSignal(trackLimits(account, account.source.token()), signal);
  let answer = await transport.send(request, secret);
  // A 401 means that nothing was done, so even a write may be sent again, but only once.
  if (answer.status === 401) {
    const other = await withAbortSignal(trackLimits(account, account.source.renew(secret)), signal);
    if (other !== undefined) {
      secret = other;
      answer = await transport.send(request, secret);
    }
  }

  const limit = account.recordResponse(answer, api, secret);
  // A write that was partly applied must not be reported as "nothing was written".
  // `requireGraphqlData` reports it instead.
  if (limit !== undefined && !(write && api === 'graphql' && isPartlyDone(answer))) throw limit;
  const fault = findAnswerFault(answer, request, secret);
  if (fault !== undefined) throw fault;
  return { answer, secret };
}

function trackLimits<T>(account: GithubAccount, pending: Promise<T>): Promise<T> {
  return pending.catch((error: unknown) => {
    account.recordLimit(error);
    throw error;
  });
}

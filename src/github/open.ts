/** Opens the client to one GitHub: its two APIs, in the names of Legion and its roles. */

import { LegionError } from '../core/model/fault.ts';
import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import type { Account, AccountName } from '../integrations/github/client/account.ts';
import { type Identities, openAccounts } from '../integrations/github/client/accounts.ts';
import type { ViewerQuery } from '../integrations/github/generated/client.ts';
import { abortable } from '../lib/async/abortable.ts';
import { addressesOf } from './addresses.ts';
import { answerFault } from './answer-fault.ts';
import type { Acting, Asking, GithubClient, RestAnswer, Role, Variables } from './client.ts';
import { type Credentials, openCredentials } from './credentials.ts';
import { graphqlData, partialData, partlyDone } from './graphql-answer.ts';
import type { Place } from './installation.ts';
import { openLanes } from './lanes.ts';
import { openPermissions, type Permissions } from './permissions.ts';
import type { Api } from './rate-limit.ts';
import type { Outgoing, Transport } from './transport.ts';
import { type Answer, openTransport } from './transport.ts';

export const VIEWER = 'query Viewer { viewer { login } }';

export interface Github extends GithubClient {
  readonly credentials: Credentials;
  /** Who may write where, as GitHub has said lately; whoever asks for it knows what others have asked for. */
  readonly permissions: Permissions;
  /** Ends what is under way (a write may have happened then) and refuses everything after. */
  close(): Promise<void>;
}

export interface GithubOptions {
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly url: string;
  readonly identities: Identities;
  /** Where ambient credentials are looked for, as a plain record. */
  readonly environment: Environment;
  /** Where a GitHub App without an installation id is installed. */
  readonly place?: Place | undefined;
  readonly clock: Clock;
  readonly writeSpacingMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export function openGithub(options: GithubOptions): Github {
  const { identities, environment, place, clock, timeoutMs, writeSpacingMs } = options;
  const addresses = addressesOf(options.url);
  const closing = new AbortController();
  const transport = openTransport({ rest: addresses.rest, closing: closing.signal, timeoutMs });
  const lanes = openLanes({ clock, closing: closing.signal, writeSpacingMs });
  const accounts = openAccounts({ identities, environment, addresses, place, transport, clock });
  const logins = new Map<AccountName, Promise<string>>();

  function ask<T>(account: Account, asked: Exchange, read: (exchanged: Exchanged) => T): Promise<T> {
    const waits = account.limited(asked.api);
    // Not even queued: who must wait shall hear of it at once.
    if (waits !== undefined) return Promise.reject(waits);
    const lane = asked.write ? lanes.write : lanes.read;
    return lane(async () => read(await exchange(transport, account, asked)), asked.signal);
  }

  function graphql<T>(
    document: string,
    variables: Variables,
    how: Acting & { readonly write: boolean },
    read: (exchanged: Exchanged) => unknown,
  ): Promise<T> {
    const { signal, write } = how;
    const route = `POST ${addresses.graphql}`;
    const asked: Exchange = {
      api: 'graphql',
      route,
      parameters: { query: document, variables },
      write,
      signal,
    };
    return ask(accounts.of(how.as), asked, (exchanged) => read(exchanged) as T);
  }

  function query<T>(document: string, variables: Variables, how: Partial<Asking>): Promise<T> {
    const { tolerates } = how;
    return graphql(document, variables, { ...how, write: false }, ({ answer, secret }) =>
      graphqlData(answer, { write: false, tolerates, secret }),
    );
  }

  async function rest<T>(
    route: string,
    parameters: Variables,
    how: Acting & { readonly etag?: string } = {},
  ): Promise<RestAnswer<T>> {
    const { signal, etag } = how;
    // The next page is named by an answer: the token goes with it, but to nobody else.
    if (/^\S+ https?:/i.test(route) && !route.includes(` ${addresses.rest}/`))
      throw new LegionError('github.refused', 'the address of the next page is not on this GitHub');
    const write = !route.startsWith('GET ');
    const asked: Exchange = { api: 'rest', route, parameters, write, signal, etag };
    return ask(accounts.of(how.as), asked, ({ answer }) => restAnswer<T>(answer));
  }

  function login(role?: Role): Promise<string> {
    const { name } = accounts.of(role);
    const known = logins.get(name);
    if (known !== undefined) return known;
    const asked = viewer(role);
    logins.set(name, asked);
    asked.catch(() => logins.delete(name));
    return asked;
  }

  /** Also for an App's installation, which REST's `GET /user` refuses; not bound to one of those who wait for it. */
  async function viewer(as: Role | undefined): Promise<string> {
    const how = as === undefined ? {} : { as };
    const found = await query<ViewerQuery>(VIEWER, {}, how);
    return found.viewer.login;
  }

  const client: GithubClient = {
    query,
    queryPartially: (document, variables, how) =>
      graphql(document, variables, { ...how, write: false }, ({ answer, secret }) =>
        partialData(answer, secret),
      ),
    mutate: (document, variables, how = {}) =>
      graphql(document, variables, { ...how, write: true }, ({ answer, secret }) =>
        graphqlData(answer, { write: true, secret }),
      ),
    rest,
    login,
    budget: () => accounts.of(undefined).budget(),
  };
  return {
    ...client,
    credentials: openCredentials({ client, accounts, addresses }),
    permissions: openPermissions(client, clock),
    async close() {
      closing.abort(new LegionError('github.unavailable', 'the client to GitHub is closed'));
      await transport.idle();
    },
  };
}

/** What REST's answer holds for its caller: data, the mark to ask with again, the next page. */
function restAnswer<T>({ status, headers, data }: Answer): RestAnswer<T> {
  const { etag, link = '' } = headers;
  const next = /<([^>]+)>;\s*rel="next"/.exec(link)?.[1];
  return {
    data: status === 304 ? undefined : (asText(data) as T),
    ...(etag !== undefined && { etag }),
    ...(next !== undefined && { next }),
  };
}

/** Logs come as bytes of no stated kind. */
function asText(data: unknown): unknown {
  return data instanceof ArrayBuffer ? new TextDecoder().decode(data) : data;
}

interface Exchange extends Outgoing {
  readonly api: Api;
  readonly write: boolean;
}

interface Exchanged {
  readonly answer: Answer;
  /** What it was sent with, to be kept out of messages. */
  readonly secret: string;
}

/** One request in an account's name: not while it must wait, and once more with a new token where GitHub refuses the old. */
async function exchange(transport: Transport, account: Account, asked: Exchange): Promise<Exchanged> {
  const { api, write, signal } = asked;
  const waits = account.limited(api);
  if (waits !== undefined) throw waits;

  let secret = await abortable(heeded(account, account.source.token()), signal);
  let answer = await transport.send(asked, secret);
  // A 401 says that nothing was done, so even a write may go out again; more than once would be a guess at the reason.
  if (answer.status === 401) {
    const other = await abortable(heeded(account, account.source.renewed(secret)), signal);
    if (other !== undefined) {
      secret = other;
      answer = await transport.send(asked, secret);
    }
  }

  const limit = account.note(answer, api, secret);
  // What was done in part may not claim that nothing was written; the reader of GraphQL's errors says so.
  if (limit !== undefined && !(write && api === 'graphql' && partlyDone(answer))) throw limit;
  const fault = answerFault(answer, asked, secret);
  if (fault !== undefined) throw fault;
  return { answer, secret };
}

function heeded<T>(account: Account, asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    account.heed(error);
    throw error;
  });
}

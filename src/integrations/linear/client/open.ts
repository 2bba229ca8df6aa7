/** Opens the client to one Linear workspace, in the name of the account that the credential belongs to. */

import { z } from 'zod';
import type { ApiBudget } from '../../../core/model/api-budget.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { Clock } from '../../../domain/clock.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { FetchError, openBoundedFetch } from '../../../lib/bounded-fetch.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import { type LinearAnswer, readAnswer } from '../../../linear/answer.ts';
import { answerFault } from '../../../linear/answer-fault.ts';
import type { LinearClient, Variables, Viewer } from '../../../linear/client.ts';
import { authorizationOf, type Credential } from '../../../linear/credential.ts';
import { budgetIn } from '../../../linear/rate-limit.ts';

/**
 * A page of a board takes Linear a second or two, and it names no limit of its own. The rest is for slow networks and for the
 * queue in front of it, and is no longer than the loop waits between two polls.
 */
const REQUEST_TIMEOUT_MS = 30_000;

/** A page of 50 issues with long descriptions and comments is a megabyte or two; more than this is not held in memory. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;

export interface LinearOptions {
  /** `https://api.linear.app`. */
  readonly url: string;
  readonly credential: Credential;
  readonly clock: Clock;
  readonly timeoutMs?: number | undefined;
}

export function openLinear(options: LinearOptions): LinearClient {
  const { credential, clock, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const address = `${options.url.replace(/\/+$/, '')}/graphql`;
  const closing = new AbortController();
  const bounded = openBoundedFetch({ maxBytes: ANSWER_MAX_BYTES, timeoutMs, closing: closing.signal });
  const writing = createMutex();
  let budget: ApiBudget | undefined;
  let viewer: Promise<Viewer> | undefined;

  async function send(
    document: string,
    variables: Variables,
    signal: AbortSignal | undefined,
  ): Promise<LinearAnswer> {
    const init: RequestInit = {
      method: 'POST',
      headers: {
        authorization: authorizationOf(credential),
        'content-type': 'application/json',
        'user-agent': 'legion',
      },
      body: JSON.stringify({ query: document, variables }),
      // A redirected POST becomes a GET, and the key would go to whoever the redirect names.
      redirect: 'manual',
      signal: signal ?? null,
    };
    const response = await bounded.send(address, init).catch((error: unknown) => {
      throw error instanceof FetchError ? unavailable(quoteAnswer(error.message, [credential.value])) : error;
    });
    const answer = await readAnswer(response);
    if (answer === undefined) throw unavailable(`answered ${response.status} with broken JSON`);
    return answer;
  }

  async function ask<T>(
    document: string,
    variables: Variables,
    write: boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    const answer = await send(document, variables, signal);
    const now = clock.now();
    budget = budgetIn(answer.headers, now) ?? budget;
    if (isWhole(answer)) return answer.data as T;
    throw answerFault(answer, { write, secret: credential.value, now });
  }

  return {
    query: (document, variables, { signal }) => ask(document, variables, false, signal),
    mutate: (document, variables, { signal } = {}) =>
      writing(() => ask(document, variables, true, signal), signal),
    viewer() {
      if (viewer !== undefined) return viewer;
      // Several callers wait for it, so none of their signals ends it; a later caller asks again after a failure.
      const asked = readViewer((document) => ask(document, {}, false));
      viewer = asked;
      asked.catch(() => {
        viewer = undefined;
      });
      return asked;
    },
    budget: () => budget,
    async close() {
      closing.abort(new LegionError('linear.unavailable', 'the client to Linear is closed'));
      await bounded.idle();
    },
  };
}

/** Data beside errors is not whole, not even beside an empty list of them, which GraphQL does not know. */
function isWhole({ status, data, errors }: LinearAnswer): boolean {
  const hasErrors = errors !== undefined && errors !== null;
  return status >= 200 && status < 300 && !hasErrors && typeof data === 'object' && data !== null;
}

function unavailable(says: string): LegionError {
  return new LegionError('linear.unavailable', `Linear ${says}`);
}

const VIEWER = 'query Viewer { viewer { id name email } organization { name urlKey } }';

const answer = z.object({
  viewer: z.object({ id: z.string().min(1), name: z.string(), email: z.string() }),
  organization: z.object({ name: z.string(), urlKey: z.string() }),
});

/** Who the credential belongs to, and in which workspace. */
async function readViewer(ask: (document: string) => Promise<unknown>): Promise<Viewer> {
  const found = answer.safeParse(await ask(VIEWER));
  // What acts on board and comments must know whose they are.
  if (!found.success)
    throw new LegionError('linear.unavailable', 'Linear did not say whose credential this is');
  const { viewer, organization } = found.data;
  return { ...viewer, workspace: organization };
}

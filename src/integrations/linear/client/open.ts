/** Opens the client for one Linear workspace, acting as the credential's account. */

import { z } from 'zod';
import type { ApiBudget } from '../../../core/model/api-budget.ts';
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { FetchError, openBoundedFetch } from '../../../lib/bounded-fetch.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import { type LinearAnswer, readAnswer, readBudget, toAnswerFault } from './answer-fault.ts';
import type { LinearClient, LinearVariables, LinearViewer } from './client.ts';
import { buildAuthorization, type LinearCredential } from './credential.ts';

/**
 * Linear documents no timeout, and needs a second or two for a page of a board. The rest of the
 * time allows for slow networks and queueing. The timeout must not exceed the loop's poll interval.
 */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * A page of 50 issues with long descriptions and comments is a megabyte or two. Larger responses
 * are not held in memory.
 */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;

export interface LinearOptions {
  /** `https://api.linear.app`. */
  readonly url: string;
  readonly credential: LinearCredential;
  readonly clock: Clock;
  readonly timeoutMs?: number | undefined;
}

export function openLinear(options: LinearOptions): LinearClient {
  const { credential, clock, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const address = `${options.url.replace(/\/+$/, '')}/graphql`;
  const closing = new AbortController();
  const bounded = openBoundedFetch({ maxBytes: ANSWER_MAX_BYTES, timeoutMs, closing: closing.signal });
  const writeMutex = createMutex();
  let budget: ApiBudget | undefined;
  let viewer: Promise<LinearViewer> | undefined;

  async function send(
    document: string,
    variables: LinearVariables,
    signal: AbortSignal | undefined,
  ): Promise<LinearAnswer> {
    const init: RequestInit = {
      method: 'POST',
      headers: {
        authorization: buildAuthorization(credential),
        'content-type': 'application/json',
        'user-agent': 'legion',
      },
      body: JSON.stringify({ query: document, variables }),
      // A redirected POST would become a GET, and the key would be sent to the redirect's target.
      redirect: 'manual',
      signal: signal ?? null,
    };
    const response = await bounded.send(address, init).catch((error: unknown) => {
      throw error instanceof FetchError
        ? createUnavailableFault(quoteAnswer(error.message, [credential.value]))
        : error;
    });
    const answer = await readAnswer(response);
    if (answer === undefined) throw createUnavailableFault(`answered ${response.status} with malformed JSON`);
    return answer;
  }

  async function sendDocument<T>(
    document: string,
    variables: LinearVariables,
    write: boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    const answer = await send(document, variables, signal);
    const now = clock.now();
    budget = readBudget(answer.headers, now) ?? budget;
    if (isWhole(answer)) return answer.data as T;
    throw toAnswerFault(answer, { write, secret: credential.value, now });
  }

  return {
    query: (document, variables, { signal }) => sendDocument(document, variables, false, signal),
    mutate: (document, variables, { signal } = {}) =>
      writeMutex(() => sendDocument(document, variables, true, signal), signal),
    viewer() {
      if (viewer !== undefined) return viewer;
      // All callers share this request, so no caller's signal aborts it. After a failure, the next
      // caller sends it again.
      const pending = readViewer((document) => sendDocument(document, {}, false));
      viewer = pending;
      pending.catch(() => {
        viewer = undefined;
      });
      return pending;
    },
    budget: () => budget,
    async close() {
      closing.abort(new LegionError('linear.unavailable', 'The Linear client is closed'));
      await bounded.idle();
    },
  };
}

/**
 * A response with `errors` is incomplete. This includes an empty list of errors, which GraphQL does
 * not allow.
 */
function isWhole({ status, data, errors }: LinearAnswer): boolean {
  const hasErrors = errors !== undefined && errors !== null;
  return status >= 200 && status < 300 && !hasErrors && typeof data === 'object' && data !== null;
}

function createUnavailableFault(problem: string): LegionError {
  return new LegionError('linear.unavailable', `Linear ${problem}`);
}

const VIEWER = 'query Viewer { viewer { id name email } organization { name urlKey } }';

const answer = z.object({
  viewer: z.object({ id: z.string().min(1), name: z.string(), email: z.string() }),
  organization: z.object({ name: z.string(), urlKey: z.string() }),
});

/** Reads the credential's account and workspace. */
async function readViewer(send: (document: string) => Promise<unknown>): Promise<LinearViewer> {
  const parsed = answer.safeParse(await send(VIEWER));
  // Without the account, Legion could not recognize its own issues and comments.
  if (!parsed.success)
    throw new LegionError('linear.unavailable', 'Linear did not return the credential’s account');
  const { viewer, organization } = parsed.data;
  return { ...viewer, workspace: organization };
}

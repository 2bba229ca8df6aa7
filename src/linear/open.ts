/** Opens the client to one Linear workspace, in the name of the account that the credential belongs to. */

import { LinearGraphQLClient } from '@linear/sdk';
import { follow } from '../asking/follow.ts';
import { inTurn } from '../asking/in-turn.ts';
import type { ApiBudget } from '../domain/api-budget.ts';
import type { Clock } from '../domain/clock.ts';
import { LegionError } from '../domain/fault.ts';
import { answerFault, answerIn } from './answer-fault.ts';
import { boundedAnswers } from './bounded-answers.ts';
import type { LinearClient, Variables, Viewer } from './client.ts';
import { authorizationOf, type Credential } from './credential.ts';
import { budgetIn } from './rate-limit.ts';
import { readViewer } from './viewer.ts';

/**
 * Linear names no limit of its own; a page of a board takes it a second or two. What is left is for slow networks and for the
 * queue in front of it, and is no longer than the loop waits between two polls.
 */
const REQUEST_TIMEOUT_MS = 30_000;

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
  const dispatcher = boundedAnswers();
  const closing = new AbortController();
  const writing = inTurn();
  const under = new Set<Promise<unknown>>();
  let budget: ApiBudget | undefined;
  let viewer: Promise<Viewer> | undefined;

  function note(headers: Headers | undefined): void {
    budget = (headers && budgetIn(headers, clock.now())) ?? budget;
  }

  async function exchange(
    document: string,
    variables: Variables,
    write: boolean,
    ending: AbortSignal,
  ): Promise<unknown> {
    const headers = {
      authorization: authorizationOf(credential),
      'accept-encoding': 'identity',
      'user-agent': 'legion',
    };
    ending.throwIfAborted();
    // A redirected POST would become a GET, and the key would go to whoever is named there. One client for each request: the
    // SDK takes signals only with the client.
    const sdk = new LinearGraphQLClient(address, { headers, signal: ending, redirect: 'manual', dispatcher });
    try {
      const answer = await sdk.rawRequest(document, { ...variables });
      note(answer.headers);
      if (typeof answer.data === 'object') return answer.data;
    } catch (error) {
      ending.throwIfAborted();
      note(answerIn(error)?.headers);
      throw answerFault(error, { write, secret: credential.value, now: clock.now() });
    }
    throw new LegionError('linear.unavailable', 'Linear answered with data of a form it never has');
  }

  async function send(
    document: string,
    variables: Variables,
    write: boolean,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const ending = new AbortController();
    const late = setTimeout(
      () => ending.abort(unavailable(`did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const unlink = [follow(ending, signal), follow(ending, closing.signal)];
    try {
      return await exchange(document, variables, write, ending.signal);
    } finally {
      clearTimeout(late);
      for (const leave of unlink) leave();
    }
  }

  function tracked<T>(
    document: string,
    variables: Variables,
    write: boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    const sent = send(document, variables, write, signal);
    const settled = sent.catch(() => {}).finally(() => under.delete(settled));
    under.add(settled);
    return sent as Promise<T>;
  }

  return {
    query: (document, variables, { signal }) => tracked(document, variables, false, signal),
    mutate: (document, variables, { signal } = {}) =>
      writing(() => tracked(document, variables, true, signal), signal),
    viewer() {
      if (viewer !== undefined) return viewer;
      // Not bound to one of those who wait for it; and who could not be asked once may be asked later.
      const asked = readViewer((document) => tracked(document, {}, false));
      viewer = asked;
      asked.catch(() => {
        viewer = undefined;
      });
      return asked;
    },
    budget: () => budget,
    async close() {
      closing.abort(new LegionError('linear.unavailable', 'the client to Linear is closed'));
      await Promise.all(under);
    },
  };
}

function unavailable(says: string): LegionError {
  return new LegionError('linear.unavailable', `Linear ${says}`);
}

/** `AbortSignal.any` would hold on to each request for as long as the longest of its signals lives. */

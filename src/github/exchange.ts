/** One request in an account's name: not while it must wait, and once more with a new token where GitHub refuses the old. */
import { abortable } from '../lib/async/abortable.ts';
import type { Account } from './account.ts';
import { answerFault } from './answer-fault.ts';
import { partlyDone } from './graphql-answer.ts';
import type { Api } from './rate-limit.ts';
import type { Answer, Outgoing, Transport } from './transport.ts';

export interface Exchange extends Outgoing {
  readonly api: Api;
  readonly write: boolean;
}

export interface Exchanged {
  readonly answer: Answer;
  /** What it was sent with, to be kept out of messages. */
  readonly secret: string;
}

export async function exchange(transport: Transport, account: Account, asked: Exchange): Promise<Exchanged> {
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

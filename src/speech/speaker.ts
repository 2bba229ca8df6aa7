/** A worker's voice: says one verb to the daemon, and keeps a report safe where the daemon is away. */

import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { LegionError } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { unwrap } from '../lib/result.ts';
import { MESSAGE_MOST_BYTES } from '../protocol/outbox.ts';
import { KEPT_WHILE_AWAY, modesOf, VERBS, type VerbName } from '../protocol/verb.ts';
import type { VerbAnswer } from '../protocol/verb-answer.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';
import { reach } from '../worker-client/reach.ts';
import { raiseDoneFlag } from './done-flag.ts';
import { markAsked } from './last-word.ts';
import { keepInOutbox } from './outbox.ts';
import { readAnswer } from './read-answer.ts';

/** A push or a merge runs git and perhaps the repository's checks. */
const ANSWER_PATIENCE_MS = 120_000;
/** Shorter, because agents end a command or a tool after one or two minutes: it must be in the outbox before that. */
const KEPT_PATIENCE_MS = 30_000;
/** `done` waits up to 25 s for the quality gate, and reads tracker and forge before and after that. */
const DONE_PATIENCE_MS = 55_000;

/** `kept`: the daemon is away, the message is durably in that file and will be delivered without another try. */
export type Spoken<V extends VerbName> =
  | { readonly kept: false; readonly answer: VerbAnswer<V> }
  | { readonly kept: true; readonly file: string };

/**
 * Contract: what is not of the verb's form, or not for this worker's mode, is refused before anything goes out. Every try
 * carries one id, so the daemon can tell a second try from a second message. The done flag is written after the daemon's
 * acknowledgement, never before. Rejects with a coded `LegionError`.
 */
export interface Speaker {
  say<V extends VerbName>(verb: V, input: unknown): Promise<Spoken<V>>;
}

/** `signal` ends the waiting: what can be kept is then kept, the rest is `speech.daemon_away`. */
export function openSpeaker(
  environment: WorkerEnvironment,
  options: { readonly signal?: AbortSignal } = {},
): Speaker {
  return {
    async say(verb, input) {
      const message = compose(environment, verb, input);
      const reached = await reach(environment, message, options.signal);
      if (reached.away) return keepOrRefuse(environment, message, reached.why);
      const answer = readAnswer(verb, reached.answer);
      await finishReport(environment, verb, answer);
      return { kept: false, answer };
    },
  };
}

interface Composed<V extends VerbName> {
  readonly id: string;
  readonly verb: V;
  readonly input: unknown;
  readonly body: string;
  readonly patienceMs: number;
}

function compose<V extends VerbName>(environment: WorkerEnvironment, verb: V, given: unknown): Composed<V> {
  const mode = environment.LEGION_MODE;
  if (!modesOf(verb).includes(mode))
    throw new LegionError(
      'worker.not_for_mode',
      `${verb} is for ${modesOf(verb).join(' and ')}, not for ${mode}`,
    );
  const schema: z.ZodType = VERBS[verb].input;
  const decoded = unwrap(decode(schema, given, verb));
  const id = randomUUID();
  const input = verb === 'comment' ? { key: id, ...(decoded as object) } : decoded;
  const body = JSON.stringify(input);
  const bytes = Buffer.byteLength(body);
  if (bytes > MESSAGE_MOST_BYTES)
    throw new LegionError(
      'http.body_too_large',
      `${verb} has ${bytes} bytes, at most ${MESSAGE_MOST_BYTES} are taken`,
    );
  const patienceMs = patienceFor(verb);
  return { id, verb, input, body, patienceMs };
}

function patienceFor(verb: VerbName): number {
  if (verb === 'done') return DONE_PATIENCE_MS;
  return KEPT_WHILE_AWAY.includes(verb) ? KEPT_PATIENCE_MS : ANSWER_PATIENCE_MS;
}

async function keepOrRefuse(
  environment: WorkerEnvironment,
  { id, verb, input }: Composed<VerbName>,
  why: string,
): Promise<{ readonly kept: true; readonly file: string }> {
  if (!KEPT_WHILE_AWAY.includes(verb)) throw new LegionError('speech.daemon_away', why);
  const file = await keepInOutbox(environment.LEGION_OUTBOX, {
    id,
    verb,
    input,
    at: Date.now(),
    worker: environment.LEGION_WORKER,
    attempt: environment.LEGION_ATTEMPT,
    token: environment.LEGION_WORKER_TOKEN,
  });
  return { kept: true, file };
}

async function finishReport(environment: WorkerEnvironment, verb: VerbName, answer: object): Promise<void> {
  if (verb === 'ask') await markAsked(environment.LEGION_OUTBOX);
  if (verb !== 'done' && verb !== 'error') return;
  const isRefused = 'accepted' in answer && answer.accepted === false;
  if (isRefused) return;
  await raiseDoneFlag(environment.LEGION_OUTBOX, {
    verb,
    at: Date.now(),
    worker: environment.LEGION_WORKER,
    attempt: environment.LEGION_ATTEMPT,
  });
}

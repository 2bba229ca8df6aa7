/** Worker client: sends a verb to the daemon, and saves a report if the daemon is unreachable. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { unwrap } from '../lib/result.ts';
import { MAX_MESSAGE_BYTES } from '../protocol/outbox.ts';
import type { VerbAnswer } from '../protocol/verb.ts';
import { getVerbModes, VERBS, VERBS_KEPT_OFFLINE, type VerbName } from '../protocol/verb.ts';
import { readWorkerEnvironment, type WorkerEnvironment } from '../protocol/worker-environment.ts';
import { keepInOutbox, markAsked, writeDoneFlag } from './outbox.ts';
import { readVerbAnswer } from './post.ts';
import { deliverVerb } from './reach.ts';

/** Allows for a push or a merge, which runs git and possibly the repository's checks. */
const ANSWER_TIMEOUT_MS = 120_000;
/**
 * Time limit for messages that can be saved. It is shorter, because agents terminate a command or
 * tool after one or two minutes, and the message must be in the outbox before that.
 */
const KEPT_TIMEOUT_MS = 30_000;
/**
 * `done` waits up to 25 s for the quality gate, and reads tracker and forge before and after that.
 */
const DONE_TIMEOUT_MS = 55_000;

/**
 * `kept` is true if the daemon is unreachable. `file` is then the path of the file that durably
 * stores the message. The message will be delivered without another call.
 */
export type VerbResult<V extends VerbName> =
  | { readonly kept: false; readonly answer: VerbAnswer<V> }
  | { readonly kept: true; readonly file: string };

/**
 * Contract: input that does not match the verb's schema or the worker's mode is refused before
 * anything is sent. Every try carries the same id, so that the daemon can tell a retry from a
 * second message. The done flag is written only after the daemon's acknowledgement. Rejects with a
 * coded `LegionError`.
 */
export interface WorkerClient {
  send<V extends VerbName>(verb: V, input: unknown): Promise<VerbResult<V>>;
}

/**
 * `signal` ends the wait. The message is then saved if possible; otherwise the call rejects with
 * `speech.daemon_away`.
 */
export function openWorkerClient(
  environment: WorkerEnvironment,
  options: { readonly signal?: AbortSignal } = {},
): WorkerClient {
  return {
    async send(verb, input) {
      const message = prepareVerb(environment, verb, input);
      const delivery = await deliverVerb(environment, message, options.signal);
      if (delivery.away) return keepOrRefuse(environment, message, delivery.why);
      const answer = readVerbAnswer(verb, delivery.answer);
      await recordFinalReport(environment, verb, answer);
      return { kept: false, answer };
    },
  };
}

interface PreparedVerb<V extends VerbName> {
  readonly id: string;
  readonly verb: V;
  readonly input: unknown;
  readonly body: string;
  readonly patienceMs: number;
}

function prepareVerb<V extends VerbName>(
  environment: WorkerEnvironment,
  verb: V,
  rawInput: unknown,
): PreparedVerb<V> {
  const mode = environment.LEGION_MODE;
  if (!getVerbModes(verb).includes(mode))
    throw new LegionError(
      'worker.not_for_mode',
      `${verb} is for ${getVerbModes(verb).join(' and ')}, not for ${mode}`,
    );
  const schema: z.ZodType = VERBS[verb].input;
  const decoded = unwrap(decode(schema, rawInput, verb));
  const id = randomUUID();
  const input = verb === 'comment' ? { key: id, ...(decoded as object) } : decoded;
  const body = JSON.stringify(input);
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_MESSAGE_BYTES)
    throw new LegionError(
      'http.body_too_large',
      `${verb} has ${bytes} bytes; the maximum is ${MAX_MESSAGE_BYTES}`,
    );
  const patienceMs = chooseTimeout(verb);
  return { id, verb, input, body, patienceMs };
}

function chooseTimeout(verb: VerbName): number {
  if (verb === 'done') return DONE_TIMEOUT_MS;
  return VERBS_KEPT_OFFLINE.includes(verb) ? KEPT_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
}

async function keepOrRefuse(
  environment: WorkerEnvironment,
  { id, verb, input }: PreparedVerb<VerbName>,
  why: string,
): Promise<{ readonly kept: true; readonly file: string }> {
  if (!VERBS_KEPT_OFFLINE.includes(verb)) throw new LegionError('speech.daemon_away', why);
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

async function recordFinalReport(
  environment: WorkerEnvironment,
  verb: VerbName,
  answer: object,
): Promise<void> {
  if (verb === 'ask') await markAsked(environment.LEGION_OUTBOX);
  if (verb !== 'done' && verb !== 'error') return;
  const isRefused = 'accepted' in answer && answer.accepted === false;
  if (isRefused) return;
  await writeDoneFlag(environment.LEGION_OUTBOX, {
    verb,
    at: Date.now(),
    worker: environment.LEGION_WORKER,
    attempt: environment.LEGION_ATTEMPT,
  });
}

/**
 * Reads a worker's identity from its environment. Throws `speech.not_a_worker` for any other
 * process.
 */
export function requireWorkerEnvironment(env: EnvironmentVariables): WorkerEnvironment {
  const { LEGION_WORKER } = env;
  if (LEGION_WORKER === undefined)
    throw new LegionError('speech.not_a_worker', 'LEGION_WORKER is not set in the environment.');
  const parsed = readWorkerEnvironment(env);
  if (!parsed.ok) throw new LegionError('speech.not_a_worker', parsed.fault.message);
  return parsed.value;
}

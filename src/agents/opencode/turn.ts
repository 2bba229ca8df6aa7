/**
 * Runs one turn of a session on its server: sends the prompt, forwards the turn's events and
 * detects its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { readEventStream } from '../../lib/event-stream.ts';
import type { TurnEnd } from '../runner/dialect.ts';
import type { OpencodeApi } from './api.ts';
import type { ModelName } from './configuration.ts';
import {
  createTranscript,
  messageSchema,
  type OpencodeMessage,
  type PermissionRequest,
  permissionSchema,
  type QuestionRequest,
  questionSchema,
  readEvent,
  readPart,
  type ServerEvent,
  statusesSchema,
} from './events.ts';
import { createResponder, type ResponderContext, trackTurn } from './progress.ts';

/** Interval between polls, which catch lost events. */
const TURN_POLL_MS = 15_000;
/**
 * Maximum time from the prompt to the first sign of work. A server's first turn takes several
 * seconds and may fetch providers.
 */
const BEGIN_TIMEOUT_MS = 180_000;
/**
 * Delay before rechecking a reported error. If the turn still shows no sign of work by then, the
 * error, such as an unknown agent, is final.
 */
const ERROR_RECHECK_MS = 5_000;
/** A server that does not respond for this long has hung, even if its port is open. */
const UNANSWERED_TIMEOUT_MS = 300_000;
/**
 * Maximum time to wait for the session to become idle after an abort request. This usually takes a
 * tenth of a second.
 */
const ABORT_TIMEOUT_MS = 10_000;
const ABORT_POLL_MS = 50;

export interface OpencodeTurnContext extends ResponderContext {
  /** Resolves with the server's last output when the server has exited. */
  readonly gone: Promise<string>;
  readonly session: string;
  readonly model: ModelName | undefined;
}

/**
 * Runs the turn. The session can be continued on this server only if `isIdle` is true in the
 * result. Rejects with `agent.failed`.
 */
export async function runOpencodeTurn(
  context: OpencodeTurnContext,
  prompt: string,
  interrupt: AbortSignal,
): Promise<{ readonly end: TurnEnd; readonly isIdle: boolean }> {
  const { api, session, model, emit } = context;
  const progress = trackTurn(session);
  const transcript = createTranscript(emit);
  const responder = createResponder(context);
  const { promise: outcome, resolve, reject } = Promise.withResolvers<'over' | TurnEnd>();
  // Prevents an unhandled rejection, because the promise is awaited only at the end.
  outcome.catch(() => undefined);
  const onInterrupt = () => resolve({ how: 'interrupted' });
  interrupt.addEventListener('abort', onInterrupt, { once: true });
  void context.gone.then((output) =>
    reject(new LegionError('agent.failed', `opencode's server exited during the turn: ${output}`)),
  );
  const before = (await readSessionSnapshot(api, session)).messages.at(-1)?.info.id;
  const stopListening = await listenToEvents(api, { onEvent, onMissed: () => void poll() });
  const promptedAt = Date.now();
  let answeredAt = promptedAt;
  const timer = setInterval(() => void poll(), TURN_POLL_MS);
  let recheckTimer: NodeJS.Timeout | undefined;
  try {
    // Sends the prompt even if the turn is already interrupted, because the prompt must not get
    // lost.
    const parts = [{ type: 'text', text: prompt }];
    await api.post(`/session/${session}/prompt_async`, { ...(model && { model }), parts });
    if (interrupt.aborted) onInterrupt();
    const end = await outcome;
    if (end === 'over') return { end: progress.judgeEnd(Date.now()), isIdle: true };
    return { end, isIdle: await abortSession(api, session, () => progress.hasBegun) };
  } finally {
    clearInterval(timer);
    clearTimeout(recheckTimer);
    interrupt.removeEventListener('abort', onInterrupt);
    stopListening();
    transcript.closeOpenTools();
  }

  function onEvent(event: ServerEvent): void {
    try {
      if (event.kind === 'part') transcript.addPart(event.part, event.session === session);
      if (event.kind === 'permission') responder.answerPermission(event.asked);
      if (event.kind === 'question') responder.answerQuestion(event.asked);
      const result = progress.applyEvent(event, Date.now());
      if (result !== undefined) resolve(result);
      else if (progress.problem !== undefined)
        recheckTimer ??= setTimeout(() => void poll(), ERROR_RECHECK_MS);
    } catch (error) {
      reject(error);
    }
  }

  async function poll(): Promise<void> {
    try {
      applySnapshot(await readSessionSnapshot(api, session));
      answeredAt = Date.now();
    } catch (error) {
      if (Date.now() - answeredAt > UNANSWERED_TIMEOUT_MS) reject(error);
    }
  }

  function applySnapshot({ isIdle, messages, permissions, questions }: SessionSnapshot): void {
    for (const request of permissions) responder.answerPermission(request);
    for (const request of questions) responder.answerQuestion(request);
    const last = messages.at(-1)?.info;
    const since = messages.slice(messages.findIndex(({ info }) => info.id === before) + 1);
    for (const { info, parts } of since) {
      if (info.role !== 'assistant') continue;
      for (const part of parts.flatMap((data) => readPart(data) ?? [])) transcript.addPart(part, true);
    }
    const isAnswered = last !== undefined && last.id !== before && last.role === 'assistant';
    if (isAnswered && isIdle && last.error !== undefined)
      onEvent({ kind: 'error', session, error: last.error });
    // An idle session alone does not mean that the turn is over: right after the prompt, the
    // session is not busy yet and its last message is the prompt.
    if (isIdle && (isAnswered || progress.hasBegun || progress.problem !== undefined)) resolve('over');
    else if (!progress.hasBegun && Date.now() - promptedAt > BEGIN_TIMEOUT_MS)
      reject(new LegionError('agent.failed', `the turn did not start within ${BEGIN_TIMEOUT_MS / 1_000} s`));
  }
}

/**
 * Aborts the turn and returns whether the session is known to be idle. First waits for the turn to
 * start, because an earlier abort would have no effect and the turn would start afterwards.
 */
async function abortSession(api: OpencodeApi, session: string, hasBegun: () => boolean): Promise<boolean> {
  const until = Date.now() + ABORT_TIMEOUT_MS;
  try {
    while (!hasBegun() && Date.now() < until) await sleep(ABORT_POLL_MS);
    await api.post(`/session/${session}/abort`, {}, ABORT_TIMEOUT_MS);
    for (; Date.now() < until; await sleep(ABORT_POLL_MS)) if (await isSessionIdle(api, session)) return true;
  } catch {
    // The server has hung or exited. The caller terminates the whole server.
  }
  return false;
}

/** The server sends the first event as soon as the connection is open. */
const CONNECT_TIMEOUT_MS = 20_000;
/** Avoids a busy loop against a server that has exited. */
const RECONNECT_PAUSE_MS = 200;

interface ServerEventListener {
  onEvent(event: ServerEvent): void;
  /** Called if events may have been missed. */
  onMissed(): void;
}

/** Once events arrive, resolves to a function that stops listening. Rejects with `agent.failed`. */
async function listenToEvents(
  api: OpencodeApi,
  { onEvent, onMissed }: ServerEventListener,
): Promise<() => void> {
  const stop = new AbortController();
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    reject(new LegionError('agent.failed', `no events arrived within ${CONNECT_TIMEOUT_MS / 1_000} s`));
  }, CONNECT_TIMEOUT_MS);
  void follow();
  try {
    await connected;
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return () => stop.abort();

  async function follow(): Promise<void> {
    for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
      try {
        await readStream(() => (isFirst ? resolve() : onMissed()));
      } catch (error) {
        // Later connection losses are retried, but no turn can start without a first connection.
        if (isFirst) reject(error);
      }
      await sleep(RECONNECT_PAUSE_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }

  async function readStream(onConnected: () => void): Promise<void> {
    const chunks = (await api.events(stop.signal)).pipeThrough(new TextDecoderStream());
    let hasBegun = false;
    for await (const batch of readEventStream(chunks)) {
      if (!hasBegun) onConnected();
      hasBegun = true;
      for (const data of batch) {
        const event = readEvent(data);
        if (event !== undefined && !stop.signal.aborted) onEvent(event);
      }
    }
  }
}

/**
 * Upper bound for messages missed between two polls. A message is one model response with its
 * tools.
 */
const MAX_READ_MESSAGES = 20;

interface SessionSnapshot {
  readonly isIdle: boolean;
  /** Oldest first. */
  readonly messages: readonly OpencodeMessage[];
  readonly permissions: readonly PermissionRequest[];
  readonly questions: readonly QuestionRequest[];
}

/**
 * Polls the server for anything its events may have missed: open requests, messages and whether the
 * session is idle. Rejects with `agent.failed`.
 */
async function readSessionSnapshot(api: OpencodeApi, session: string): Promise<SessionSnapshot> {
  const [permissions, questions] = await Promise.all([
    api.get('/permission', z.array(permissionSchema)),
    api.get('/question', z.array(questionSchema)),
  ]);
  // The order matters: if the session was idle before its messages were read, they are complete.
  const isIdle = await isSessionIdle(api, session);
  const messages = await api.get(
    `/session/${session}/message?limit=${MAX_READ_MESSAGES}`,
    z.array(messageSchema),
  );
  return { isIdle, messages, permissions, questions };
}

/** Idle sessions are absent from the status list. */
async function isSessionIdle(api: OpencodeApi, session: string): Promise<boolean> {
  const status = (await api.get('/session/status', statusesSchema))[session];
  return status === undefined || status.type === 'idle';
}

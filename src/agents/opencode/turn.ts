/** One turn of a session on its server: the prompt goes in, what happens is said, and it ends one way or another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../core/model/fault.ts';
import type { TurnEnd } from '../../driving/dialect.ts';
import { readEventStream } from '../../lib/event-stream.ts';
import type { Api } from './api.ts';
import { readEvent, readPart, type ServerEvent } from './events.ts';
import { isSessionIdle, look, type Sight } from './look.ts';
import type { ModelName } from './model-name.ts';
import { followTurn } from './progress.ts';
import { type ReplyTo, replying } from './replies.ts';
import { transcribe } from './transcript.ts';

/** Events tell at once; this is for those that got lost. */
const LOOK_EVERY_MS = 15_000;
/** From the prompt to the first sign of work. The first turn of a server takes seconds, its providers may have to be fetched. */
const BEGIN_MS = 180_000;
/** An error without any sign of work is final: an unknown agent is refused that way, and nothing follows. */
const TROUBLE_MS = 5_000;
/** A server that does not answer for this long is wedged, port open or not. */
const UNANSWERED_MS = 300_000;
/** From the request to the idle session; a tenth of a second is usual. */
const ABORT_MS = 10_000;
const ABORT_LOOK_MS = 50;

export interface TurnWorld extends ReplyTo {
  /** Resolves with the last words of the server when it is gone. */
  readonly gone: Promise<string>;
  readonly session: string;
  readonly model: ModelName | undefined;
}

/** `isIdle`: the session can be gone on with on this server. Rejects with `agent.failed`. */
export async function takeTurn(
  world: TurnWorld,
  prompt: string,
  interrupt: AbortSignal,
): Promise<{ readonly end: TurnEnd; readonly isIdle: boolean }> {
  const { api, session, model, emit } = world;
  const progress = followTurn(session);
  const transcript = transcribe(emit);
  const replies = replying(world);
  const { promise: outcome, resolve, reject } = Promise.withResolvers<'over' | TurnEnd>();
  // It is awaited at the end; a failure before that is not an accident.
  outcome.catch(() => undefined);
  const interrupted = () => resolve({ how: 'interrupted' });
  interrupt.addEventListener('abort', interrupted, { once: true });
  void world.gone.then((words) =>
    reject(new LegionError('agent.failed', `opencode's server ended in the midst of the turn: ${words}`)),
  );
  const before = (await look(api, session)).messages.at(-1)?.info.id;
  const stopListening = await listen(api, { hear, missed: () => void lookAgain() });
  const promptedAt = Date.now();
  let answeredAt = promptedAt;
  const timer = setInterval(() => void lookAgain(), LOOK_EVERY_MS);
  let troubled: NodeJS.Timeout | undefined;
  try {
    // Also where it is interrupted already: the words of a prompt must not get lost.
    const parts = [{ type: 'text', text: prompt }];
    await api.post(`/session/${session}/prompt_async`, { ...(model && { model }), parts });
    if (interrupt.aborted) interrupted();
    const end = await outcome;
    if (end === 'over') return { end: progress.end(Date.now()), isIdle: true };
    return { end, isIdle: await abort(api, session, () => progress.hasBegun) };
  } finally {
    clearInterval(timer);
    clearTimeout(troubled);
    interrupt.removeEventListener('abort', interrupted);
    stopListening();
    transcript.end();
  }

  function hear(event: ServerEvent): void {
    try {
      if (event.kind === 'part') transcript.take(event.part, event.session === session);
      if (event.kind === 'permission') replies.permission(event.asked);
      if (event.kind === 'question') replies.question(event.asked);
      const found = progress.take(event, Date.now());
      if (found !== undefined) resolve(found);
      else if (progress.trouble !== undefined) troubled ??= setTimeout(() => void lookAgain(), TROUBLE_MS);
    } catch (error) {
      reject(error);
    }
  }

  async function lookAgain(): Promise<void> {
    try {
      takeIn(await look(api, session));
      answeredAt = Date.now();
    } catch (error) {
      if (Date.now() - answeredAt > UNANSWERED_MS) reject(error);
    }
  }

  function takeIn({ isIdle, messages, permissions, questions }: Sight): void {
    for (const asked of permissions) replies.permission(asked);
    for (const asked of questions) replies.question(asked);
    const last = messages.at(-1)?.info;
    const since = messages.slice(messages.findIndex(({ info }) => info.id === before) + 1);
    for (const { info, parts } of since) {
      if (info.role !== 'assistant') continue;
      for (const part of parts.flatMap((data) => readPart(data) ?? [])) transcript.take(part, true);
    }
    const isAnswered = last !== undefined && last.id !== before && last.role === 'assistant';
    if (isAnswered && isIdle && last.error !== undefined) hear({ kind: 'error', session, error: last.error });
    // Right after the prompt the session is not busy yet, and its last message is the prompt.
    if (isIdle && (isAnswered || progress.hasBegun || progress.trouble !== undefined)) resolve('over');
    else if (!progress.hasBegun && Date.now() - promptedAt > BEGIN_MS)
      reject(new LegionError('agent.failed', `the turn did not begin within ${BEGIN_MS / 1_000} s`));
  }
}

/** Whether it is known to be idle afterwards. Before the turn has begun there is nothing to abort, and it would begin afterwards. */
async function abort(api: Api, session: string, hasBegun: () => boolean): Promise<boolean> {
  const until = Date.now() + ABORT_MS;
  try {
    while (!hasBegun() && Date.now() < until) await sleep(ABORT_LOOK_MS);
    await api.post(`/session/${session}/abort`, {}, ABORT_MS);
    for (; Date.now() < until; await sleep(ABORT_LOOK_MS)) if (await isSessionIdle(api, session)) return true;
  } catch {
    // Wedged or gone: whoever called ends the whole server.
  }
  return false;
}

/** The first event comes with the connection. */
const CONNECT_MS = 20_000;
/** A server that has ended is not asked again in a circle. */
const PAUSE_MS = 200;

interface Ears {
  hear(event: ServerEvent): void;
  /** Something may have been missed. */
  missed(): void;
}

/** Resolves once events are coming, to the way to stop hearing them. Rejects with `agent.failed`. */
async function listen(api: Api, { hear, missed }: Ears): Promise<() => void> {
  const over = new AbortController();
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    reject(new LegionError('agent.failed', `no events came within ${CONNECT_MS / 1_000} s`));
  }, CONNECT_MS);
  void follow();
  try {
    await connected;
  } catch (error) {
    over.abort();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return () => over.abort();

  async function follow(): Promise<void> {
    for (let isFirst = true; !over.signal.aborted; isFirst = false) {
      try {
        await hearAll(() => (isFirst ? resolve() : missed()));
      } catch (error) {
        // Later breaks are made good; without a first connection there is nothing to begin a turn with.
        if (isFirst) reject(error);
      }
      await sleep(PAUSE_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    }
  }

  async function hearAll(begun: () => void): Promise<void> {
    const chunks = (await api.events(over.signal)).pipeThrough(new TextDecoderStream());
    let hasBegun = false;
    for await (const batch of readEventStream(chunks)) {
      if (!hasBegun) begun();
      hasBegun = true;
      for (const data of batch) {
        const event = readEvent(data);
        if (event !== undefined && !over.signal.aborted) hear(event);
      }
    }
  }
}

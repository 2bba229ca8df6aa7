/** One route as data: what it takes, what it gives, and the one call of the daemon behind it. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Daemon } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import { decode } from '../domain/decode.ts';
import { LegionError } from '../domain/fault.ts';
import type { CallerKind } from './access.ts';
import { type Answer, jsonAnswer, SAFE_HEADERS } from './answer.ts';
import type { ArrivingBodies } from './arriving-bodies.ts';
import type { Caller } from './caller.ts';
import type { Streams } from './events/streams.ts';
import type { Reading } from './read-body.ts';
import type { Sessions } from './sessions/sessions.ts';
import { etagOf, hasAlready } from './unchanged.ts';

/** What every route may use. */
export interface Door {
  readonly daemon: Daemon;
  readonly clock: Clock;
  readonly streams: Streams;
  readonly arriving: ArrivingBodies;
  readonly sessions: Sessions;
  /** All routes in the words of OpenAPI. */
  readonly document: () => unknown;
}

/** A request that has passed the guards; nothing of it is checked yet. */
export interface Asked {
  readonly method: string;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly header: (name: string) => string | undefined;
  /** As JSON; refused where it has more than `most`, or more than any request needs. */
  readonly body: (most?: number) => Promise<unknown>;
  /** The body as it came; refused where it has more than `most`. */
  readonly bytes: (most: number, reading?: Reading) => Promise<Uint8Array>;
  /** For answers that do not end. */
  readonly outgoing: ServerResponse;
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in `/workers/:id`. */
  readonly path: string;
  readonly summary: string;
  /** Who may use it; the operator alone where it is absent, with the token or in a browser. */
  readonly callers?: readonly CallerKind[];
  readonly takes: {
    readonly params?: z.ZodObject | undefined;
    readonly query?: z.ZodObject | undefined;
    readonly body?: z.ZodType | undefined;
  };
  readonly gives: { readonly status: number; readonly type?: string; readonly schema?: z.ZodType };
  /** `streaming`: the answer is under way and ends by itself. */
  perform(door: Door, asked: Asked): Promise<Answer | 'streaming'>;
}

const NOT_MODIFIED = 304;

const NOTHING = z.strictObject({});
type Nothing = typeof NOTHING;

interface JsonRoute<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, A extends z.ZodType> {
  readonly method: Route['method'];
  readonly path: string;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Of the body, where it may have more than others. */
  readonly mostBytes?: number;
  readonly answer: A;
  readonly status?: number;
  /** Names the answer before it is made: who has it already is told so. */
  readonly mark?: (daemon: Daemon, given: Given<P, Q, B>) => string;
  readonly perform: (daemon: Daemon, given: Given<P, Q, B>) => z.input<A> | Promise<z.input<A>>;
}

interface Given<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  readonly caller: Caller;
}

/** JSON in, JSON out. What a route does not name, it does not take: a misspelt key is refused, not ignored. */
export function route<
  A extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = Nothing,
>(form: JsonRoute<P, Q, B, A>): Route {
  const { method, path, summary, params, query, body, mostBytes, answer, status = 200 } = form;
  return {
    method,
    path,
    summary,
    takes: { params, query, body },
    gives: { status, type: 'application/json', schema: answer },
    async perform({ daemon }, asked) {
      const given = {
        params: checked<z.output<P>>(params ?? NOTHING, asked.params, 'path'),
        query: checked<z.output<Q>>(query ?? NOTHING, asked.query, 'query'),
        body: checked<z.output<B>>(body ?? NOTHING, await asked.body(mostBytes), 'body'),
        caller: asked.caller,
      };
      if (form.mark === undefined) return jsonAnswer(status, await form.perform(daemon, given));
      // Before the answer: should something happen in between, it is newer than its mark, and is asked for once more.
      const etag = etagOf(form.mark(daemon, given));
      if (hasAlready(asked.header('if-none-match'), etag))
        return { status: NOT_MODIFIED, headers: { ...SAFE_HEADERS, etag }, body: '' };
      return jsonAnswer(status, await form.perform(daemon, given), { etag });
    },
  };
}

export function checked<T>(schema: z.ZodType, data: unknown, what: string): T {
  const read = decode(schema as z.ZodType<T>, data, what);
  if (!read.ok) throw new LegionError(read.fault.code, read.fault.message);
  return read.value;
}

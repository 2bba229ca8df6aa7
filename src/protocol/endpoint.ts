/**
 * An endpoint of the daemon as data, and the parameters that several endpoints share. The server,
 * its clients and the OpenAPI document use the same declaration.
 */
import { z } from 'zod';
import { issueIdSchema, readWorkerId } from '../core/model/ids.ts';
import { PHASES } from '../core/model/mode.ts';

/**
 * - `token`: the operator's token.
 * - `session`: a logged-in browser.
 * - `visitor`: a page that has no session yet and may send a login code.
 * - `worker`: the token of one attempt.
 * - `service`: a webhook whose signature is not checked yet.
 */
export type CallerKind = 'token' | 'session' | 'visitor' | 'worker' | 'service';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** May contain named parameters, as in `/workers/:id`. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Allowed callers. Default: the operator, with the token or in a browser. */
  readonly callers?: readonly CallerKind[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Maximum size of the request body. Default: the maximum size of one message in a worker's
   * outbox.
   */
  readonly maxBodyBytes?: number;
  /** HTTP status of a successful response. Default: 200. */
  readonly status?: 200 | 201 | 202;
  /** HTTP statuses of refusals that callers need to distinguish. */
  readonly errors?: readonly number[];
  /** Media type of the response. Default: JSON. */
  readonly mediaType?: string;
  readonly response?: z.ZodType;
}

/** Endpoints of one resource, keyed by operation name. */
export type EndpointGroup = Readonly<Record<string, Endpoint>>;

type RequestPartName = 'params' | 'query' | 'body';

/** The request that a client sends. */
export type EndpointRequest<E extends Endpoint> = RequestPart<E, 'params'> &
  RequestPart<E, 'query'> &
  RequestPart<E, 'body'>;

/**
 * The request as function arguments. The argument is optional if the request has no required part.
 */
export type EndpointArguments<E extends Endpoint, Options = unknown> =
  Record<never, never> extends EndpointRequest<E>
    ? [request?: EndpointRequest<E> & Options]
    : [request: EndpointRequest<E> & Options];

type RequestPart<E extends Endpoint, P extends RequestPartName> =
  E extends Readonly<Record<P, infer S extends z.ZodType>>
    ? Record<never, never> extends z.input<S>
      ? { readonly [name in P]?: DeepReadonly<z.input<S>> | undefined }
      : { readonly [name in P]: DeepReadonly<z.input<S>> }
    : { readonly [name in P]?: undefined };

/**
 * Makes lists and objects read-only in the type, so that a client can also pass read-only values.
 */
type DeepReadonly<T> = T extends readonly unknown[]
  ? readonly DeepReadonly<T[number]>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The request that the server receives: validated, with defaults filled in. */
export type CheckedRequest<E extends Endpoint> = {
  readonly [P in RequestPartName]: E extends Readonly<Record<P, infer S extends z.ZodType>>
    ? z.output<S>
    : Readonly<Record<never, never>>;
};

/** The response that a client receives. */
export type EndpointResponse<E extends Endpoint> = z.output<ResponseSchema<E>>;

/** The response that the server may return. */
export type EndpointResult<E extends Endpoint> = z.input<ResponseSchema<E>>;

type ResponseSchema<E extends Endpoint> =
  E extends Readonly<Record<'response', infer S extends z.ZodType>> ? S : z.ZodUnknown;

/** An error with its code and next step. */
export const faultSchema = z.object({ code: z.string(), message: z.string(), next: z.string() });

/**
 * The body of every error response. `due`: the step that is due instead of the requested one.
 * `retryAt`: when a retry may succeed, in milliseconds since 1970.
 */
export const errorAnswer = z.object({
  error: faultSchema.extend({
    due: z.object({ action: z.string(), mode: z.string(), reason: z.string() }).optional(),
    retryAt: z.number().optional(),
  }),
});

/**
 * Allows at most fifteen digits: enough for any offset, version or sequence number, and exact as a
 * JavaScript number.
 */
export const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number');

export const wholeNumber = digits.transform(Number);

export const issueParams = z.strictObject({ id: issueIdSchema });

export const pullRequestParams = z.strictObject({
  number: wholeNumber.refine((number) => number > 0, 'must be the number of a pull request'),
});

export const handoffParams = z.strictObject({ id: issueIdSchema, phase: z.enum(PHASES) });

export const workerParams = z.strictObject({
  id: z
    .string()
    .toLowerCase()
    .refine((text) => readWorkerId(text).ok, 'must be an issue and a mode, such as demo-1-implement'),
});

export const byQuery = z.strictObject({ by: z.string().min(1).max(100).default('operator') });

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

export const stopQuery = byQuery.extend({ restart: flag });

export const shutdownQuery = byQuery.extend({ workers: z.enum(['leave', 'stop']).default('leave') });

/** Returns only events after the one with this number. Default: only new events. */
export const eventsQuery = z.strictObject({ after: wholeNumber.optional() });

/** An endpoint of the daemon as data: its server, its clients and the OpenAPI document all read the same declaration. */
import type { z } from 'zod';

/**
 * - `token`: the operator's token.
 * - `session`: a browser that is logged in.
 * - `visitor`: a page that has no session yet and perhaps brings a code.
 * - `worker`: the token of one attempt.
 * - `service`: a webhook, whose signature is still to be checked.
 */
export type CallerKind = 'token' | 'session' | 'visitor' | 'worker' | 'service';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With named parameters, as in `/workers/:id`. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Who may use it; by default the operator, with the token or in a browser. */
  readonly callers?: readonly CallerKind[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** By default what fits into one message of a worker. */
  readonly maxBodyBytes?: number;
  /** By default 200. */
  readonly status?: 200 | 201 | 202;
  /** By default JSON. */
  readonly mediaType?: string;
  readonly response?: z.ZodType;
}

/** Endpoints of one resource, each under the name of what it does. */
export type EndpointGroup = Readonly<Record<string, Endpoint>>;

type Part = 'params' | 'query' | 'body';

/** What a client sends. */
export type EndpointRequest<E extends Endpoint> = RequestPart<E, 'params'> &
  RequestPart<E, 'query'> &
  RequestPart<E, 'body'>;

/** The request as arguments of a function: it may be left out where nothing in it is required. */
export type EndpointArguments<E extends Endpoint, Options = unknown> =
  Record<never, never> extends EndpointRequest<E>
    ? [request?: EndpointRequest<E> & Options]
    : [request: EndpointRequest<E> & Options];

type RequestPart<E extends Endpoint, P extends Part> =
  E extends Readonly<Record<P, infer S extends z.ZodType>>
    ? Record<never, never> extends z.input<S>
      ? { readonly [name in P]?: Sendable<z.input<S>> | undefined }
      : { readonly [name in P]: Sendable<z.input<S>> }
    : { readonly [name in P]?: undefined };

/** Whoever sends a list need not be able to change it. */
type Sendable<T> = T extends readonly unknown[]
  ? readonly Sendable<T[number]>[]
  : T extends object
    ? { readonly [K in keyof T]: Sendable<T[K]> }
    : T;

/** What the server is given: checked, with defaults filled in. */
export type CheckedRequest<E extends Endpoint> = {
  readonly [P in Part]: E extends Readonly<Record<P, infer S extends z.ZodType>>
    ? z.output<S>
    : Readonly<Record<never, never>>;
};

/** What a client gets. */
export type EndpointResponse<E extends Endpoint> = z.output<ResponseSchema<E>>;

/** What the server may answer with. */
export type EndpointResult<E extends Endpoint> = z.input<ResponseSchema<E>>;

type ResponseSchema<E extends Endpoint> =
  E extends Readonly<Record<'response', infer S extends z.ZodType>> ? S : z.ZodUnknown;

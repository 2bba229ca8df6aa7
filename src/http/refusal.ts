/**
 * Turns every error into a response of the same form: status and code come from the catalogue, and
 * internals are left out. Also defines the headers of every response.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { CATALOGUE, LegionError, quoteText } from '../core/model/fault.ts';

interface HttpRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function toRefusal({ fault, due, retryAt }: LegionError): HttpRefusal {
  const { code, message, next } = fault;
  const status = CATALOGUE[code].http;
  const body = JSON.stringify({ error: { code, message, next, due, retryAt } });
  return {
    status,
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      // HTTP requires a 401 to specify the authentication scheme.
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
    body,
  };
}

export function toRefusalResponse(error: LegionError): Response {
  const { status, headers, body } = toRefusal(error);
  return new Response(body, { status, headers });
}

/**
 * Returns an error that has a code. An error without a code is a defect: `report` receives its
 * details, and the client learns only that a defect occurred.
 */
export function toLegionError(error: unknown, report: (error: unknown) => void): LegionError {
  if (error instanceof LegionError) return error;
  report(error);
  return new LegionError(
    'daemon.defect',
    'The daemon could not handle the request because of a defect. Its log has the details.',
  );
}

/** Handler for Hono's `methodNotAllowed`. */
export function refuseMethod({ req }: Context, methods: readonly string[]): Response {
  const allow = methods.join(', ');
  const message = `${req.method} is not allowed for ${quoteText(req.path)}. Valid: ${allow}.`;
  const response = toRefusalResponse(new LegionError('http.method_not_allowed', message));
  response.headers.set('allow', allow);
  return response;
}

/**
 * Headers of every response. They keep browsers from guessing the content type, and from caching,
 * framing or sharing the content. There is no CORS header, so pages of other origins can neither
 * read nor embed a response.
 */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Sets the headers after every other handler has run, so that no handler overrides them. */
export const setSafeHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(SAFE_HEADERS)) c.res.headers.set(name, value);
};

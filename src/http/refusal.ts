/** Turns every error into one form of response: the catalogue's status and code, and nothing about our insides. */
import type { Context } from 'hono';
import { CATALOGUE, LegionError, shown } from '../core/model/fault.ts';
import { SAFE_HEADERS } from './safe-headers.ts';

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function toRefusal({ fault }: LegionError): Refusal {
  const { code, message, next } = fault;
  const status = CATALOGUE[code].http;
  const body = JSON.stringify({ error: { code, message, next } });
  return {
    status,
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      // HTTP requires a 401 to name the way to authenticate.
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
    body,
  };
}

export function toRefusalResponse(error: LegionError): Response {
  const { status, headers, body } = toRefusal(error);
  return new Response(body, { status, headers });
}

/** An error without a code is a defect: `report` gets the details, and the client learns only that it happened. */
export function toLegionError(error: unknown, report: (error: unknown) => void): LegionError {
  if (error instanceof LegionError) return error;
  report(error);
  return new LegionError('daemon.defect', 'a defect kept the daemon from answering; its log has the details');
}

/** For Hono's `methodNotAllowed`. */
export function refuseMethod({ req }: Context, methods: readonly string[]): Response {
  const allow = methods.join(', ');
  const message = `there is no ${req.method} ${shown(req.path)}, but ${allow}`;
  const response = toRefusalResponse(new LegionError('http.method_not_allowed', message));
  response.headers.set('allow', allow);
  return response;
}

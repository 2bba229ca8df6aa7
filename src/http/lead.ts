/** Leads each request to its route, and everything that goes wrong on the way to one form of answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import { OPERATOR, refuseOutOfReach } from './access.ts';
import type { Answer } from './answer.ts';
import type { Caller } from './caller.ts';
import { codedAnswer } from './fault-answer.ts';
import { readBody, readBytes } from './read-body.ts';
import type { Asked, Door } from './route.ts';
import type { RouteTable } from './route-table.ts';

/** `streaming`: the answer is under way and ends by itself. */
export async function lead(
  door: Door,
  table: RouteTable,
  caller: Caller,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Answer | 'streaming'> {
  const { method = '', url = '' } = incoming;
  const { pathname, searchParams } = addressOf(url);
  // HEAD is GET whose answer Node does not send the body of.
  const found = table.find(method === 'HEAD' ? 'GET' : method, pathname);
  refuseOutOfReach(caller, found && (found.route.callers ?? OPERATOR));
  if (found === undefined) return nowhere(method, pathname, table.methodsAt(pathname));
  const asked: Asked = {
    method,
    caller,
    params: found.params,
    query: Object.fromEntries(
      [...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))]),
    ),
    header: (name) => incoming.headers[name]?.toString(),
    body: (most) => readBody(incoming, most),
    bytes: (most, reading) => readBytes(incoming, most, reading),
    outgoing,
  };
  return found.route.perform(door, asked);
}

function addressOf(url: string): URL {
  const whole = url.startsWith('/') ? `http://127.0.0.1${url}` : url;
  if (url.includes('\\') || !URL.canParse(whole)) {
    throw new LegionError('http.request_malformed', 'the request has no address one could look up');
  }
  return new URL(whole);
}

function nowhere(method: string, path: string, methods: readonly string[]): Answer {
  const where = `${method} ${shown(path)}`;
  if (methods.length === 0) {
    return codedAnswer(new LegionError('http.route_unknown', `there is no route ${where}`));
  }
  const allow = methods.join(', ');
  const refusal = new LegionError('http.method_not_allowed', `there is no ${where}, but ${allow}`);
  return codedAnswer(refusal, { allow });
}

function oneOrAll(given: readonly string[]): string | readonly string[] {
  const [first = ''] = given;
  return given.length === 1 ? first : given;
}

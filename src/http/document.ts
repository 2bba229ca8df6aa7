/** All routes as an OpenAPI document, made from the same schemas that check what comes in. */
import { z } from 'zod';
import type { Daemon } from '../daemon/daemon.ts';
import { errorAnswer } from '../protocol/error-answer.ts';
import type { CallerKind } from './access.ts';
import { KEY_HEADER } from './caller.ts';
import type { Route } from './route.ts';
import { cookieName } from './sessions/cookie.ts';

/** Returns the way to get it: made when it is first asked for, because most daemons never are. */
export function describeRoutes(
  routes: readonly Route[],
  daemon: Daemon,
  port: () => number | undefined,
): () => unknown {
  let made: unknown;
  return () => {
    made ??= describe(routes, daemon.health().version, port());
    return made;
  };
}

function describe(routes: readonly Route[], version: string, port: number | undefined): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Legion', version },
    // Either the token, or a session: a cookie together with its key.
    security: [{ token: [] }, { cookie: [], key: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: cookieName(port) },
        key: { type: 'apiKey', in: 'header', name: KEY_HEADER },
      },
    },
    paths,
  };
}

/** A signature and a code are part of the request itself. */
function isByToken(callers: readonly CallerKind[]): boolean {
  return !callers.includes('service') && !callers.includes('visitor');
}

function operation({ method, path, summary, callers, takes, gives }: Route) {
  const { params, query, body } = takes;
  const answer = gives.schema === undefined ? {} : jsonSchema(gives.schema, 'output');
  return {
    summary,
    operationId: operationId(method, path),
    ...(callers === undefined ? {} : { security: isByToken(callers) ? [{ token: [] }] : [] }),
    parameters: [...parameters('path', params), ...parameters('query', query)],
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      [gives.status]: {
        description: summary,
        ...(gives.type === undefined ? {} : { content: { [gives.type]: { schema: answer } } }),
      },
      default: {
        description: 'refused; `next` says what to do',
        content: { 'application/json': { schema: jsonSchema(errorAnswer, 'output') } },
      },
    },
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined) {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => ({
    name,
    in: place,
    required: !z.safeParse(each, undefined).success,
    schema: jsonSchema(each, 'input'),
  }));
}

function requestBody(body: z.ZodType) {
  return {
    content: { 'application/json': { schema: jsonSchema(body, 'input') } },
    required: !body.safeParse({}).success,
  };
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): unknown {
  // The dialect is named once, by the document's version.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return rest;
}

/** As in `getWorkersIdStatus`. */
function operationId(method: string, path: string): string {
  return method + path.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase());
}

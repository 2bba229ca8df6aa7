/** Writes the endpoints as an OpenAPI document, from the same schemas that check requests. */
import { z } from 'zod';
import type { CallerKind, Endpoint } from '../protocol/endpoint.ts';
import { errorAnswer } from '../protocol/error-answer.ts';
import { KEY_HEADER } from './caller.ts';
import { toCookieName } from './sessions/session-cookies.ts';

const JSON_TYPE = 'application/json';

export function describeEndpoints(
  endpoints: readonly Endpoint[],
  version: string,
  port: number | undefined,
): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Legion', version },
    // Either the token, or a session: a cookie together with its key.
    security: [{ token: [] }, { cookie: [], key: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: toCookieName(port) },
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

function describeOperation({ method, path, summary, callers, status = 200, ...endpoint }: Endpoint) {
  const { params, query, body, response, mediaType = JSON_TYPE } = endpoint;
  const schema = response === undefined ? {} : toJsonSchema(response, 'output');
  return {
    summary,
    operationId: toOperationId(method, path),
    ...(callers === undefined ? {} : { security: isByToken(callers) ? [{ token: [] }] : [] }),
    parameters: [...describeParameters('path', params), ...describeParameters('query', query)],
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: {
      [status]: { description: summary, content: { [mediaType]: { schema } } },
      default: {
        description: 'refused; `next` says what to do',
        content: { [JSON_TYPE]: { schema: toJsonSchema(errorAnswer, 'output') } },
      },
    },
  };
}

function describeParameters(place: 'path' | 'query', schema: z.ZodObject | undefined) {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => ({
    name,
    in: place,
    required: !z.safeParse(each, undefined).success,
    schema: toJsonSchema(each, 'input'),
  }));
}

function describeBody(body: z.ZodType) {
  return {
    content: { [JSON_TYPE]: { schema: toJsonSchema(body, 'input') } },
    required: !body.safeParse({}).success,
  };
}

function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): unknown {
  // The dialect is named once, by the document's version.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return rest;
}

/** As in `getWorkersIdStatus`. */
function toOperationId(method: string, path: string): string {
  return (
    method.toLowerCase() +
    path.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())
  );
}

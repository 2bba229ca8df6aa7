/** Generates an OpenAPI document from the same schemas that check requests. */
import { z } from 'zod';
import { type CallerKind, type Endpoint, errorAnswer } from '../protocol/endpoint.ts';
import { KEY_HEADER, toCookieName } from './caller.ts';

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
    servers: [{ url: port === undefined ? '/' : `http://127.0.0.1:${port}` }],
    // A caller needs either the token or a session. A session consists of a cookie and a key.
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

/**
 * Returns whether these callers send a token. Services and visitors do not: a service signs its
 * request, and a visitor sends a login code in it.
 */
function isByToken(callers: readonly CallerKind[]): boolean {
  return !callers.includes('service') && !callers.includes('visitor');
}

function describeOperation({ method, path, summary, callers, status = 200, ...endpoint }: Endpoint) {
  const { params, query, body, response, errors = [], mediaType = JSON_TYPE } = endpoint;
  const schema = response === undefined ? {} : toJsonSchema(response, 'output');
  return {
    summary,
    operationId: toOperationId(method, path),
    ...(callers === undefined ? {} : { security: isByToken(callers) ? [{ token: [] }] : [] }),
    parameters: [...describeParameters('path', params), ...describeParameters('query', query)],
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: {
      [status]: { description: summary, content: { [mediaType]: { schema } } },
      ...describeRefusals(errors),
    },
  };
}

/**
 * Describes an endpoint's error responses: the statuses that it declares, all other 4XX statuses,
 * and failures.
 */
function describeRefusals(declared: readonly number[]) {
  const content = { [JSON_TYPE]: { schema: toJsonSchema(errorAnswer, 'output') } };
  const refused = { description: 'The request was refused. `next` describes what to do.', content };
  return {
    ...Object.fromEntries(declared.map((status) => [status, refused])),
    '4XX': refused,
    default: { description: 'The request failed. `next` describes what to do.', content },
  };
}

function describeParameters(location: 'path' | 'query', schema: z.ZodObject | undefined) {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => ({
    name,
    in: location,
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
  // `$schema` is removed, because the version of the OpenAPI document already determines the
  // dialect.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return rest;
}

/** Returns a name such as `getWorkersIdStatus`. */
function toOperationId(method: string, path: string): string {
  return (
    method.toLowerCase() +
    path.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())
  );
}

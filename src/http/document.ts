/** All routes as an OpenAPI document, made from the same schemas that check what comes in. */
import { z } from 'zod';
import type { Daemon } from '../daemon/daemon.ts';
import { errorAnswer } from '../protocol/operator.ts';
import type { Route } from './route.ts';

type Library = typeof import('@hono/zod-openapi');
type Operation = Parameters<InstanceType<Library['OpenAPIHono']>['openAPIRegistry']['registerPath']>[0];
type RequestBody = NonNullable<NonNullable<Operation['request']>['body']>;
type Schema = NonNullable<Exclude<RequestBody['content'][string], { $ref: string } | undefined>['schema']>;

/** Returns the way to get it: made, and its library loaded, when it is first asked for, because most daemons never are. */
export function describeRoutes(routes: readonly Route[], daemon: Daemon): () => Promise<unknown> {
  let made: Promise<unknown> | undefined;
  return () => {
    made ??= describe(routes, daemon.health().version);
    return made;
  };
}

async function describe(routes: readonly Route[], version: string): Promise<unknown> {
  const { OpenAPIHono } = await import('@hono/zod-openapi');
  const described = new OpenAPIHono();
  const { openAPIRegistry } = described;
  openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  for (const route of routes) openAPIRegistry.registerPath(operation(route));
  return described.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Legion', version },
    security: [{ token: [] }],
  });
}

function operation({ method, path, summary, takes, gives }: Route): Operation {
  const { params, query, body } = takes;
  const answer = gives.schema === undefined ? {} : jsonSchema(gives.schema, 'output');
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    summary,
    operationId: operationId(method, path),
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: requestBody(body) }),
    },
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

function requestBody(body: z.ZodType): RequestBody {
  return {
    content: { 'application/json': { schema: jsonSchema(body, 'input') } },
    required: !body.safeParse({}).success,
  };
}

/** By Zod itself: of several literals, and of what may be null, the document's library tells only a part. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  // The dialect is named once, by the document's version.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return rest as Schema;
}

/** As in `getWorkersIdStatus`. */
function operationId(method: string, path: string): string {
  return method + path.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase());
}

/** Leads each request to its route, and everything that goes wrong on the way to one form of answer. */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import type { Answer } from './answer.ts';
import { type Caller, refuseOutOfReach } from './caller.ts';
import { codedAnswer, faultAnswer } from './fault-answer.ts';
import { readBody } from './read-body.ts';
import type { Asked, Door, Route } from './route.ts';
import { methodsAt } from './route-table.ts';

/** What the guards found out before the request came here. */
interface Passed extends HttpBindings {
  readonly caller: Caller;
}
export type App = Hono<{ Bindings: Passed }>;
type Ctx = Context<{ Bindings: Passed }>;

export function makeApp(door: Door, routes: readonly Route[], onError: (error: unknown) => void): App {
  const app: App = new Hono();
  app.use(async ({ env, req }, next) => {
    refuseOutOfReach(env.caller, req.method, req.path);
    await next();
  });
  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path, async (context) => {
      const answer = await route.perform(door, askedIn(context));
      return answer === 'streaming' ? RESPONSE_ALREADY_SENT : toResponse(answer);
    });
  }
  app.notFound(({ req }) => {
    const methods = methodsAt(app, req.path);
    const where = `${req.method} ${shown(req.path)}`;
    return toResponse(
      methods.length === 0
        ? codedAnswer(new LegionError('http.route_unknown', `there is no route ${where}`))
        : codedAnswer(
            new LegionError('http.method_not_allowed', `there is no ${where}, but ${methods.join(', ')}`),
            {
              allow: methods.join(', '),
            },
          ),
    );
  });
  app.onError((error) => toResponse(faultAnswer(error, onError)));
  return app;
}

function askedIn({ env, req }: Ctx): Asked {
  return {
    method: req.method,
    caller: env.caller,
    params: req.param(),
    query: Object.fromEntries(
      Object.entries(req.queries()).map(([name, given]) => [
        name,
        given.length === 1 ? `${given[0]}` : given,
      ]),
    ),
    header: (name) => req.header(name),
    body: () => readBody(env.incoming),
    outgoing: env.outgoing,
  };
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers: { ...headers } });
}

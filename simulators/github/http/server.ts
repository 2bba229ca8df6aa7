/** Serves all of GitHub with one server: both APIs, git, and job logs. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FaultSwitches } from '../../fault-switches.ts';
import { serveGit } from '../git/backend.ts';
import { GitFacts } from '../git/facts.ts';
import { updateRefs } from '../model/refs.ts';
import type { GithubWorld } from '../model/world.ts';
import { answerRest } from '../rest/answer.ts';
import type { NextFault, RefusableRequest, SeenRequest } from '../simulator.ts';
import {
  type GithubHttpResponse,
  resetConnection,
  send,
  toBrokenResponse,
  toMessageResponse,
} from './answer.ts';
import { findToken, readSecret } from './credentials.ts';
import { answerGraphql } from './graphql-request.ts';
import { RateLimitPoints } from './points.ts';

/** State shared by all requests. */
export class GithubServerContext {
  readonly world: GithubWorld;
  readonly facts = new GitFacts();
  readonly faults = new FaultSwitches<NextFault['answer']>();
  readonly refusals: ((asked: RefusableRequest) => string | undefined)[] = [];
  readonly points: RateLimitPoints;
  readonly seen: SeenRequest[] = [];
  /** Requests in progress. Closing waits for everything they have started. */
  readonly running = new Set<Promise<void>>();
  url = '';

  constructor(world: GithubWorld) {
    this.world = world;
    this.points = new RateLimitPoints(world);
  }
}

export async function listen(desk: GithubServerContext, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const serving = handleRequest(desk, request, response).catch((error: unknown) => {
      // Reports an error of the simulator itself in full, so that it never looks like GitHub's
      // response.
      if (response.headersSent) resetConnection(response);
      else
        send(
          response,
          toMessageResponse(
            500,
            `The simulator failed: ${String(error instanceof Error ? error.stack : error)}`,
          ),
        );
    });
    desk.running.add(serving);
    void serving.finally(() => desk.running.delete(serving));
  });
  server.on('connection', (socket) => {
    if (desk.faults.outage === 'refused') socket.resetAndDestroy();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  desk.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}

async function handleRequest(
  desk: GithubServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { outage } = desk.faults;
  // Clients synchronise their clocks with this header, as they do with GitHub's.
  response.setHeader('date', new Date(desk.world.milliseconds()).toUTCString());
  if (outage === 'refused') return resetConnection(response);
  if (outage === 'hanging') return;
  if (outage !== undefined) {
    request.resume();
    return send(response, toBrokenResponse(outage));
  }
  const { pathname } = new URL(request.url ?? '/', desk.url);
  if (/^\/[^/]+\/[^/]+\.git\//.test(pathname)) return serveGit(desk, request, response);
  for (const repository of desk.world.repositories.values()) updateRefs(desk.world, repository);
  const answer = await answerTo(desk, request, pathname);
  if (answer === 'reset') resetConnection(response);
  else if (answer !== 'silence') send(response, answer);
}

/** Returns the response. `silence` means to keep the connection open and send nothing. */
async function answerTo(
  desk: GithubServerContext,
  request: IncomingMessage,
  pathname: string,
): Promise<GithubHttpResponse | 'reset' | 'silence'> {
  const secret = readSecret(request);
  if (pathname === '/api/graphql') {
    const token = findToken(desk.world, secret);
    if (token === undefined)
      return secret === undefined
        ? toMessageResponse(401, 'This endpoint requires you to be authenticated.')
        : toMessageResponse(401, 'Bad credentials');
    if (request.method !== 'POST') return toMessageResponse(404, 'Not Found');
    try {
      return answerGraphql(desk, token, await json(request));
    } catch {
      return toMessageResponse(400, 'Problems parsing JSON');
    }
  }
  return answerRest(desk, request, pathname, secret);
}

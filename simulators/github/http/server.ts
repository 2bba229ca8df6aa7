/** One server for all of GitHub's faces: both APIs, git, and the logs of jobs. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FaultSwitches } from '../../fault-switches.ts';
import { serveGit } from '../git/backend.ts';
import { GitFacts } from '../git/facts.ts';
import { noticeRefs } from '../model/refs.ts';
import type { World } from '../model/world.ts';
import { answerRest } from '../rest/answer.ts';
import type { NextFault, RefusableRequest, SeenRequest } from '../simulator.ts';
import { type Answer, breakOff, broken, message, send } from './answer.ts';
import { readSecret, tokenFor } from './credentials.ts';
import { answerGraphql } from './graphql-request.ts';
import { Points } from './points.ts';

/** All that requests share. */
export class Desk {
  readonly world: World;
  readonly facts = new GitFacts();
  readonly faults = new FaultSwitches<NextFault['answer']>();
  readonly refusals: ((asked: RefusableRequest) => string | undefined)[] = [];
  readonly points: Points;
  readonly seen: SeenRequest[] = [];
  /** Requests that are still being answered; closing waits for what they have started. */
  readonly running = new Set<Promise<void>>();
  url = '';

  constructor(world: World) {
    this.world = world;
    this.points = new Points(world);
  }
}

export async function listen(desk: Desk, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const serving = serve(desk, request, response).catch((error: unknown) => {
      // A mistake of the simulator's own is told in full, and is never taken for an answer of GitHub's.
      if (response.headersSent) breakOff(response);
      else
        send(
          response,
          message(500, `The simulator failed: ${String(error instanceof Error ? error.stack : error)}`),
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

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { outage } = desk.faults;
  // Clients set their own clock right by this one, as they do by GitHub's.
  response.setHeader('date', new Date(desk.world.milliseconds()).toUTCString());
  if (outage === 'refused') return breakOff(response);
  if (outage === 'hanging') return;
  if (outage !== undefined) {
    request.resume();
    return send(response, broken(outage));
  }
  const { pathname } = new URL(request.url ?? '/', desk.url);
  if (/^\/[^/]+\/[^/]+\.git\//.test(pathname)) return serveGit(desk, request, response);
  for (const repository of desk.world.repositories.values()) noticeRefs(desk.world, repository);
  const answer = await answerTo(desk, request, pathname);
  if (answer === 'reset') breakOff(response);
  else if (answer !== 'silence') send(response, answer);
}

/** `silence`: the connection stays open, and nothing comes. */
async function answerTo(
  desk: Desk,
  request: IncomingMessage,
  pathname: string,
): Promise<Answer | 'reset' | 'silence'> {
  const secret = readSecret(request);
  if (pathname === '/api/graphql') {
    const token = tokenFor(desk.world, secret);
    if (token === undefined)
      return secret === undefined
        ? message(401, 'This endpoint requires you to be authenticated.')
        : message(401, 'Bad credentials');
    if (request.method !== 'POST') return message(404, 'Not Found');
    try {
      return answerGraphql(desk, token, await json(request));
    } catch {
      return message(400, 'Problems parsing JSON');
    }
  }
  return answerRest(desk, request, pathname, secret);
}

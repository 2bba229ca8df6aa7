/** Serves the API, which has one URL and one method. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FaultSwitches } from '../../fault-switches.ts';
import { writeError } from '../graphql/answer.ts';
import { LinearRefusal, toInvalidInput } from '../model/refusal.ts';
import type { LinearCredential, LinearWorld } from '../model/world.ts';
import type { NextFault, SeenRequest } from '../simulator.ts';
import { type LinearHttpResponse, resetConnection, send, toBrokenResponse } from './answer.ts';
import { RequestBudgets } from './budgets.ts';
import { requireCredential } from './credentials.ts';
import { answerGraphql, answerUnknown } from './graphql-request.ts';
import type { UnansweredOutcome } from './strike.ts';

/** State shared by all requests. */
export class LinearServerContext {
  readonly world: LinearWorld;
  readonly faults = new FaultSwitches<NextFault['answer']>();
  readonly budgets: RequestBudgets;
  readonly seen: SeenRequest[] = [];
  /** Requests in progress. Closing waits for everything they have started. */
  readonly running = new Set<Promise<void>>();
  url = '';

  constructor(world: LinearWorld) {
    this.world = world;
    this.budgets = new RequestBudgets(world);
  }
}

export async function listen(desk: LinearServerContext, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const serving = handleRequest(desk, request, response).catch((error: unknown) => {
      // Reports an error of the simulator itself in full, so that it never looks like Linear's
      // response.
      const text = `The simulator failed: ${String(error instanceof Error ? error.stack : error)}`;
      if (response.headersSent) resetConnection(response);
      else send(response, { status: 500, text });
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
  desk: LinearServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { outage } = desk.faults;
  // Clients compare the times in Linear's data with the time in this header.
  response.setHeader('date', new Date(desk.world.now()).toUTCString());
  if (outage === 'refused') return resetConnection(response);
  if (outage === 'hanging') return;
  if (outage !== undefined) {
    request.resume();
    return send(response, toBrokenResponse(outage));
  }
  const answer = await answerTo(desk, request);
  if (answer === 'reset') resetConnection(response);
  else if (answer !== 'silence') send(response, answer);
}

async function answerTo(
  desk: LinearServerContext,
  request: IncomingMessage,
): Promise<LinearHttpResponse | UnansweredOutcome> {
  if (new URL(request.url ?? '/', desk.url).pathname !== '/graphql' || request.method !== 'POST') {
    request.resume();
    return { status: 404, text: 'Not Found' };
  }
  const body = await json(request).catch(() => undefined);
  let credential: LinearCredential;
  try {
    credential = requireCredential(desk.world, request);
  } catch (error) {
    if (error instanceof LinearRefusal) return answerUnknown(desk, error);
    throw error;
  }
  if (body === undefined) {
    return { status: 400, body: { errors: [writeError(toInvalidInput('The body is not JSON'))] } };
  }
  return answerGraphql(desk, credential, body);
}

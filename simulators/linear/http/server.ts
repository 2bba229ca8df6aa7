/** The server of the API: one address, one method. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FaultSwitches } from '../../fault-switches.ts';
import { writeError } from '../graphql/answer.ts';
import { invalid, LinearRefusal } from '../model/refusal.ts';
import type { Credential, World } from '../model/world.ts';
import type { NextFault, SeenRequest } from '../simulator.ts';
import { type Answer, breakOff, broken, send } from './answer.ts';
import { Budgets } from './budgets.ts';
import { credentialOf } from './credentials.ts';
import { answerGraphql, answerUnknown } from './graphql-request.ts';
import type { Unanswered } from './strike.ts';

/** All that requests share. */
export class Desk {
  readonly world: World;
  readonly faults = new FaultSwitches<NextFault['answer']>();
  readonly budgets: Budgets;
  readonly seen: SeenRequest[] = [];
  /** Requests that are still being answered; closing waits for what they have started. */
  readonly running = new Set<Promise<void>>();
  url = '';

  constructor(world: World) {
    this.world = world;
    this.budgets = new Budgets(world);
  }
}

export async function listen(desk: Desk, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const serving = serve(desk, request, response).catch((error: unknown) => {
      // A mistake of the simulator's own is told in full, and is never taken for an answer of Linear's.
      const text = `The simulator failed: ${String(error instanceof Error ? error.stack : error)}`;
      if (response.headersSent) breakOff(response);
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

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { outage } = desk.faults;
  // Clients that compare times with Linear's compare with this clock.
  response.setHeader('date', new Date(desk.world.now()).toUTCString());
  if (outage === 'refused') return breakOff(response);
  if (outage === 'hanging') return;
  if (outage !== undefined) {
    request.resume();
    return send(response, broken(outage));
  }
  const answer = await answerTo(desk, request);
  if (answer === 'reset') breakOff(response);
  else if (answer !== 'silence') send(response, answer);
}

async function answerTo(desk: Desk, request: IncomingMessage): Promise<Answer | Unanswered> {
  if (new URL(request.url ?? '/', desk.url).pathname !== '/graphql' || request.method !== 'POST') {
    request.resume();
    return { status: 404, text: 'Not Found' };
  }
  const body = await json(request).catch(() => undefined);
  let credential: Credential;
  try {
    credential = credentialOf(desk.world, request);
  } catch (error) {
    if (error instanceof LinearRefusal) return answerUnknown(desk, error);
    throw error;
  }
  if (body === undefined) {
    return { status: 400, body: { errors: [writeError(invalid('The body is no JSON'))] } };
  }
  return answerGraphql(desk, credential, body);
}

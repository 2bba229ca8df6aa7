/** Starts a simulated Linear on loopback: one workspace, initially empty. */
import { once } from 'node:events';
import { LinearServerContext, listen } from './http/server.ts';
import { type LinearClock, LinearWorld } from './model/world.ts';
import { createPeople } from './people.ts';
import type { LinearFaults, LinearSimulator } from './simulator.ts';
import { createSnapshot } from './snapshot.ts';
import { LinearWebhooks } from './webhooks/deliver.ts';

export interface LinearOptions {
  /** Defaults to a free port. */
  readonly port?: number;
  /** Defaults to real time. */
  readonly clock?: LinearClock;
}

export async function startLinear({
  port = 0,
  clock = { now: Date.now },
}: LinearOptions = {}): Promise<LinearSimulator> {
  const world = new LinearWorld(clock);
  const desk = new LinearServerContext(world);
  const webhooks = new LinearWebhooks(world, () => desk.url);
  const server = await listen(desk, port);

  const faults: LinearFaults = {
    next: (fault) => desk.faults.next(fault),
    loseWrites: (share, seed) => desk.faults.loseWrites(share, seed),
    outage(kind) {
      desk.faults.outage = kind;
      // Closes open connections, because requests on them would otherwise still be answered.
      if (kind === 'refused' || kind === undefined) server.closeAllConnections();
    },
    limits({ requests, complexity }) {
      if (requests !== undefined) desk.budgets.set('requests', requests);
      if (complexity !== undefined) desk.budgets.set('complexity', complexity);
    },
    webhooks: (target) => webhooks.aim(target),
    field(matches, field, answer) {
      const entry = { matches, field, answer };
      world.oddFields.push(entry);
      return () => void world.oddFields.splice(world.oddFields.indexOf(entry), 1);
    },
    rewrite(rewrite) {
      world.rewrites.push(rewrite);
      return () => void world.rewrites.splice(world.rewrites.indexOf(rewrite), 1);
    },
  };

  return {
    url: desk.url,
    people: createPeople(world),
    faults,
    requests: () => desk.seen,
    snapshot: () => createSnapshot(world),
    async close() {
      await webhooks.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await Promise.allSettled(desk.running);
    },
  };
}

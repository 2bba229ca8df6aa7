/** Starts a simulated Linear on loopback: one workspace, empty but for what people put into it. */
import { once } from 'node:events';
import { Desk, listen } from './http/server.ts';
import { type Clock, World } from './model/world.ts';
import { peopleOf } from './people.ts';
import type { Faults, LinearSimulator } from './simulator.ts';
import { snapshotOf } from './snapshot.ts';
import { Webhooks } from './webhooks/deliver.ts';

export interface LinearOptions {
  /** A free one where absent. */
  readonly port?: number;
  /** Real time where absent. */
  readonly clock?: Clock;
}

export async function startLinear({
  port = 0,
  clock = { now: Date.now },
}: LinearOptions = {}): Promise<LinearSimulator> {
  const world = new World(clock);
  const desk = new Desk(world);
  const webhooks = new Webhooks(world, () => desk.url);
  const server = await listen(desk, port);

  const faults: Faults = {
    next: (fault) => desk.faults.next(fault),
    loseWrites: (share, seed) => desk.faults.loseWrites(share, seed),
    outage(kind) {
      desk.faults.outage = kind;
      // A connection that is open already would be answered still.
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
    people: peopleOf(world),
    faults,
    requests: () => desk.seen,
    snapshot: () => snapshotOf(world),
    async close() {
      await webhooks.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await Promise.allSettled(desk.running);
    },
  };
}

/** Starts a simulated GitHub on loopback, with its repositories in a temporary folder of its own. */
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Workflows } from './git/workflow.ts';
import { Desk, listen } from './http/server.ts';
import { recordCheckRun, recordStatus } from './model/checks.ts';
import { type Clock, World } from './model/world.ts';
import { peopleOf } from './people.ts';
import type { Checks, Faults, GithubSimulator } from './simulator.ts';
import { snapshotOf } from './snapshot.ts';
import { Webhooks } from './webhooks/deliver.ts';

export interface GithubOptions {
  /** A free one where absent. */
  readonly port?: number;
  /** Real time where absent. */
  readonly clock?: Clock;
}

export async function startGithub({
  port = 0,
  clock = { now: Date.now },
}: GithubOptions = {}): Promise<GithubSimulator> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'github-simulator-')));
  const world = new World(clock);
  const desk = new Desk(world);
  const workflows = new Workflows(world, folder);
  const webhooks = new Webhooks(world, () => desk.url);
  const server = await listen(desk, port).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });

  const checks: Checks = {
    run: (name, sha, check) => void recordCheckRun(world, world.repository(name), sha, check),
    status: (name, sha, context, state, description) =>
      recordStatus(world, world.repository(name), sha, { context, state, description }),
    onPush: (name, workflow) => void world.repository(name).workflows.push(workflow),
  };
  const faults: Faults = {
    next: (fault) => desk.faults.next(fault),
    loseWrites: (share, seed) => desk.faults.loseWrites(share, seed),
    outage(kind) {
      desk.faults.outage = kind;
      // A connection that is open already would be answered still.
      if (kind === 'refused' || kind === undefined) server.closeAllConnections();
    },
    points: (limit, remaining) => desk.points.set(limit, remaining),
    unknownMergeability(times) {
      world.unknowns = times;
    },
    webhooks: (target) => webhooks.aim(target),
    field: (matches, field, answer) => listed(world.oddFields, { matches, field, answer }),
    rewrite: (rewrite) => listed(world.rewrites, rewrite),
    refuse: (refusal) => listed(desk.refusals, refusal),
  };

  return {
    url: desk.url,
    people: peopleOf(world, desk.facts, folder),
    checks,
    faults,
    requests: () => desk.seen,
    snapshot: () => snapshotOf(world),
    async close() {
      await webhooks.close();
      await workflows.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await Promise.allSettled(desk.running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Adds an entry; returns the way to take it away. */
function listed<T>(list: T[], entry: T): () => void {
  list.push(entry);
  return () => void list.splice(list.indexOf(entry), 1);
}

/** Starts a simulated GitHub on loopback, with its repositories in its own temporary directory. */
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowRunner } from './git/workflow.ts';
import { GithubServerContext, listen } from './http/server.ts';
import { recordCheckRun, recordStatus } from './model/checks.ts';
import { type GithubClock, GithubWorld } from './model/world.ts';
import { createPeople } from './people.ts';
import type { GithubChecks, GithubFaults, GithubSimulator } from './simulator.ts';
import { createSnapshot } from './snapshot.ts';
import { GithubWebhooks } from './webhooks/deliver.ts';

export interface GithubOptions {
  /** Defaults to a free port. */
  readonly port?: number;
  /** Defaults to real time. */
  readonly clock?: GithubClock;
}

export async function startGithub({
  port = 0,
  clock = { now: Date.now },
}: GithubOptions = {}): Promise<GithubSimulator> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'github-simulator-')));
  const world = new GithubWorld(clock);
  const desk = new GithubServerContext(world);
  const workflows = new WorkflowRunner(world, folder);
  const webhooks = new GithubWebhooks(world, () => desk.url);
  const server = await listen(desk, port).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });

  const checks: GithubChecks = {
    run: (name, sha, check) => void recordCheckRun(world, world.repository(name), sha, check),
    status: (name, sha, context, state, description) =>
      recordStatus(world, world.repository(name), sha, { context, state, description }),
    onPush: (name, workflow) => void world.repository(name).workflows.push(workflow),
  };
  const faults: GithubFaults = {
    next: (fault) => desk.faults.next(fault),
    loseWrites: (share, seed) => desk.faults.loseWrites(share, seed),
    outage(kind) {
      desk.faults.outage = kind;
      // Closes open connections, because requests on them would otherwise still be answered.
      if (kind === 'refused' || kind === undefined) server.closeAllConnections();
    },
    points: (limit, remaining) => desk.points.set(limit, remaining),
    unknownMergeability(times) {
      world.unknowns = times;
    },
    webhooks: (target) => webhooks.aim(target),
    field: (matches, field, answer) => addEntry(world.oddFields, { matches, field, answer }),
    rewrite: (rewrite) => addEntry(world.rewrites, rewrite),
    refuse: (refusal) => addEntry(desk.refusals, refusal),
  };

  return {
    url: desk.url,
    people: createPeople(world, desk.facts, folder),
    checks,
    faults,
    requests: () => desk.seen,
    snapshot: () => createSnapshot(world),
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

/** Adds an entry and returns a function that removes it. */
function addEntry<T>(list: T[], entry: T): () => void {
  list.push(entry);
  return () => void list.splice(list.indexOf(entry), 1);
}

/** The kill switch: holds the whole legion and stops every worker at once; merges that have begun complete first. */
import type { IssueId, WorkerId } from '../core/model/ids.ts';
import { type HaltOrder, type HaltStep, haltSwarm } from '../core/state/halt.ts';
import type { Numbered, Performer } from './loop/performer.ts';
import type { World } from './world.ts';

export interface Halted {
  /** Absent where the legion was halted before. */
  readonly before?: { readonly by: string; readonly since: number } | undefined;
  readonly stopped: readonly WorkerId[];
  /** They are stopped when their merge has completed. */
  readonly merging: readonly WorkerId[];
  /** Resolves when every stop ladder has come to its end; never rejects. */
  readonly settled: Promise<void>;
}

/** Resolves when the hold and the end of every attempt are in the journal. */
export async function haltLegion(
  world: World,
  performer: Pick<Performer, 'begin' | 'settled'>,
  order: HaltOrder,
): Promise<Halted> {
  const { open } = world.ledger.swarm.breaker;
  const before = open?.kind === 'halt' ? { by: open.by ?? 'an operator', since: open.since } : undefined;
  const step = await journalHalt(world, order);
  world.wake();
  const ladders = begin(performer, step.commands);
  // Stops that began before the halt lose their grace now, and end with the others.
  const earlier = issuesBeingStopped(world).map((issue) => performer.settled(issue));
  const mergers = step.merging.length === 0 ? [] : [stopMergers()];
  const settled = Promise.all([ladders, ...earlier, ...mergers]);
  return {
    before,
    stopped: step.stopped,
    merging: step.merging,
    settled: settled.then(
      () => undefined,
      (error: unknown) => world.troubles.raise('halt', error),
    ),
  };

  async function stopMergers(): Promise<void> {
    await world.merges.settled();
    const rest = await journalHalt(world, order);
    await begin(performer, rest.commands);
    // A merger that was refused may have begun another merge in the same moment.
    if (rest.merging.length > 0) await stopMergers();
  }
}

function issuesBeingStopped({ ledger }: World): readonly IssueId[] {
  const commands = [...ledger.swarm.intents.values()].map(({ command }) => command);
  return commands.filter(({ kind }) => kind === 'stop').map(({ issue }) => issue);
}

/** One append, so that nothing can start or merge between the hold and the end of the attempts. */
export async function journalHalt(world: World, order: HaltOrder): Promise<HaltStep> {
  let step: HaltStep = { events: [], commands: [], stopped: [], merging: [] };
  await world.ledger.append((swarm) => {
    step = haltSwarm(swarm, order, (issue) => world.merges.has(issue));
    return step.events;
  });
  return step;
}

async function begin(performer: Pick<Performer, 'begin'>, commands: readonly Numbered[]): Promise<void> {
  await Promise.all(commands.map((numbered) => performer.begin(numbered.command.issue, [numbered])));
}

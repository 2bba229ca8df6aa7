/** The loop of a legion: observe, decide, write down, perform; at once when woken, else when it is time to look again. */
import type { Command } from '../domain/command.ts';
import type { IssueId } from '../domain/ids.ts';
import { Cooling } from './cooling.ts';
import { intentFor } from './intent-for.ts';
import { looker } from './look.ts';
import { type Performer, startPerformer } from './performer.ts';
import { PollPace } from './poll-pace.ts';
import { type Reconciler, startReconciler } from './reconciler.ts';
import { Named, type Scope } from './scope.ts';
import { BreakerWatch } from './supervise/breaker-watch.ts';
import { type Supervisor, startSupervisor } from './supervise/supervisor.ts';
import { Sweep } from './sweep.ts';
import { freePlaces, WaitingStarts } from './waiting-starts.ts';
import type { World } from './world.ts';

export interface Loop {
  wake(issue?: IssueId): void;
  readonly look: ReturnType<typeof looker>;
  readonly supervisor: Supervisor;
  readonly performer: Performer;
  /** Writes the intent down and performs it; resolves when it is settled. */
  order(command: Command): Promise<void>;
  stop(): Promise<void>;
}

/** Takes in what workers left while nobody listened. */
export type TakeIn = () => Promise<void>;

export function startLoop(world: World, takeIn: TakeIn): Loop {
  const { clock, ledger, settings, troubles } = world;
  const named = new Named();
  const cooling = new Cooling(clock);
  const performer = startPerformer(world, cooling);
  const look = looker(world, performer, cooling);
  const waiting = new WaitingStarts();
  const pace = new PollPace(clock, settings);
  const sweep = new Sweep(world, (issue) => order({ kind: 'clean_workspace', issue }));
  const breaker = new BreakerWatch(world);
  const supervisor = startSupervisor(world, order, () => reconciler.wake());

  async function order(command: Command): Promise<void> {
    const numbered = await intentFor(ledger, command);
    await performer.begin(command.issue, [numbered]);
  }

  async function pass(_woken: boolean, signal: AbortSignal): Promise<number> {
    if (pace.isDue) named.add(undefined);
    const scope = named.take();
    try {
      return await passOver(scope, signal);
    } catch (error) {
      // What was to be looked at is still to be looked at.
      for (const issue of scope === 'all' ? [undefined] : scope) named.add(issue);
      throw error;
    }
  }

  async function passOver(scope: Scope, signal: AbortSignal): Promise<number> {
    if (scope === 'all') await takeIn();
    const healthAt = await supervisor.round();
    const breakerAt = await breaker.round();
    const all = scope === 'all';
    const free = freePlaces(ledger.swarm, settings().places);
    const wanted: Scope = all ? 'all' : new Set([...scope, ...waiting.first.slice(0, free)]);
    const { issues, wakeAt } = await look.at(wanted, signal);
    waiting.note(issues, all);
    if (all) {
      pace.seen(world.view.all);
      await sweep.round(signal);
    } else if (scope.size > 0) pace.followUp();
    troubles.clear('loop');
    const times = [healthAt, breakerAt, wakeAt, cooling.wakeAt, pace.nextAt].filter(
      (time) => time !== undefined,
    );
    return Math.min(...times) - clock.now();
  }

  function recover(): void {
    const byIssue = Map.groupBy(ledger.swarm.intents, ([, { command }]) => command.issue);
    for (const [issue, intents] of byIssue) {
      void performer.begin(
        issue,
        intents.map(([intent, { command }]) => ({ intent, command })),
      );
    }
  }

  recover();
  const reconciler: Reconciler = startReconciler({
    pass,
    clock,
    onTrouble: (error) => troubles.raise('loop', error),
  });
  return {
    wake(issue) {
      named.add(issue);
      reconciler.wake();
    },
    look,
    supervisor,
    performer,
    order,
    async stop() {
      await reconciler.stop();
      await performer.stop();
      supervisor.close();
    },
  };
}

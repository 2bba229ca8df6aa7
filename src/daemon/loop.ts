/** The loop of a legion: observe, decide, write down, perform; at once when woken, else when it is time to look again. */
import type { Command } from '../core/model/command.ts';
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import { startReconciler } from '../lib/async/wakeable-loop.ts';
import { adoptStarted } from './adopt-started.ts';
import type { Ledger } from './context/journal-ledger.ts';
import { deliverAllLetters } from './letters.ts';
import { type Look, looker } from './look.ts';
import { Sweep } from './loop/cleanup.ts';
import { Cooling } from './loop/issue-backoff.ts';
import type { Numbered } from './loop/performer.ts';
import { type Performer, startPerformer } from './loop/performer.ts';
import { ShownPullRequests } from './loop/shown-pull-requests.ts';
import { type DueStarts, WaitingStarts } from './loop/start-queue.ts';
import { settleMerges } from './merging/settle-merges.ts';
import { PollPace } from './poll-pace.ts';
import { startContext } from './start-context.ts';
import { BreakerWatch } from './supervise/breaker-watch.ts';
import { type Supervisor, startSupervisor } from './supervise/supervisor.ts';
import { judgeKills } from './supervisor/judge-kills.ts';
import type { World } from './world.ts';

export interface Loop {
  /** Looks at one issue at once, or at everything. */
  wake(issue?: IssueId): void;
  readonly look: Look;
  readonly supervisor: Supervisor;
  readonly performer: Performer;
  /** Writes the intent down and performs it; resolves when it is settled, and what went wrong is told as a trouble. */
  order(command: Command): Promise<void>;
  stop(): Promise<void>;
}

/** Takes in what came while nobody looked: reports of workers, rules of the repository. */
export type TakeIn = () => Promise<void>;

/** Nobody is started on a board that could not be read since: one look may come late, two are an outage. */
const GOOD_FOR_INTERVALS = 2;

const LATE_LOOK = 'late look';

/** Nothing is due by time alone: somebody has to wake it. */
const UNTIL_WOKEN_MS = 24 * 60 * 60_000;

/**
 * Three passes run beside each other, so that none waits for another: over the issues somebody named, over the whole board,
 * and over the workers. What they decide on goes through the ledger one at a time, against the state of that moment.
 */
export function startLoop(world: World, takeIn: TakeIn): Loop {
  const { clock, ledger, settings, troubles } = world;
  const cooling = new Cooling(clock);
  const performer = startPerformer(world, cooling);
  const pace = new PollPace(clock, settings, () => world.tracker.budget?.());
  const look = looker(world, performer, cooling, () => {
    pace.followUp();
    everything.wake();
  });
  const waiting = new WaitingStarts(world.view);
  const sweep = new Sweep(world, (issue) => order({ kind: 'clean_workspace', issue }));
  const shown = new ShownPullRequests(world);
  const breaker = new BreakerWatch(world);
  const supervisor = startSupervisor(
    world,
    (command) => void order(command),
    () => supervision.wake(),
  );
  let named = new Set<IssueId>();

  async function order(command: Command): Promise<void> {
    try {
      const numbered = await intentFor(ledger, command);
      await performer.begin(command.issue, [numbered]);
    } catch (error) {
      troubles.raise(`issue ${command.issue}`, error);
    }
  }

  function wake(issue?: IssueId): void {
    if (issue === undefined) pace.hurry();
    else named.add(issue);
    (issue === undefined ? everything : some).wake();
    // A worker may have been started, or may have ended.
    supervision.wake();
  }

  /** Taken before the look, so that what is named during it is looked at again. */
  function taken(): ReadonlySet<IssueId> {
    const issues = named;
    named = new Set();
    return issues;
  }

  function dueStarts(): DueStarts {
    const { swarm } = ledger;
    const isHeld = (issue: IssueId) =>
      cooling.isResting(issue) || (swarm.issues.get(issue)?.openIntents ?? 0) > 0;
    return waiting.due(swarm, startContext(world), isHeld);
  }

  async function passOverSome(_woken: boolean, signal: AbortSignal): Promise<number> {
    for (const issue of cooling.rested()) named.add(issue);
    const issues = taken();
    try {
      const wanted = new Set([...issues, ...dueStarts().issues]);
      const { issues: steps } = await look.at(wanted, signal);
      waiting.note(steps, false);
      const next = dueStarts();
      // Who has become due since is no longer waited for, so nobody would come back for it.
      const isMissed = next.issues.some((issue) => !wanted.has(issue));
      return isMissed ? 0 : until(next.wakeAt, cooling.wakeAt);
    } catch (error) {
      // What was to be looked at is still to be looked at.
      for (const issue of issues) named.add(issue);
      throw error;
    }
  }

  async function passOverEverything(_woken: boolean, signal: AbortSignal): Promise<number> {
    if (pace.isDue) {
      const begunAt = clock.now();
      await takeIn();
      const { issues } = await look.at('all', signal);
      waiting.note(issues, true);
      pace.seen(world.view.all, begunAt);
      world.view.goodFor(begunAt, GOOD_FOR_INTERVALS * pace.intervalMs);
      some.wake();
      await sweep.round(signal);
      await shown.round();
    }
    tellOfLateLook();
    return until(pace.nextAt);
  }

  /** Nobody is started on an old board: where the next look comes after that, somebody should be able to read why. */
  function tellOfLateLook(): void {
    const { nextAt } = pace;
    if (nextAt <= world.view.goodUntil) troubles.clear(LATE_LOOK);
    else {
      const why = 'its service lets Legion ask little until then; nobody is started before';
      const says = `the board is read again at ${new Date(nextAt).toISOString()}: ${why}`;
      troubles.raise(LATE_LOOK, new LegionError('tracker.unavailable', says));
    }
  }

  async function passOverWorkers(): Promise<number> {
    await deliverAllLetters(world);
    return until(await supervisor.round(), await breaker.round(), await judgeKills(world));
  }

  function until(...times: readonly (number | undefined)[]): number {
    const first = Math.min(...times.filter((time) => time !== undefined));
    return Number.isFinite(first) ? first - clock.now() : UNTIL_WOKEN_MS;
  }

  /** Until it is done nothing is begun for these issues: an open intent keeps everybody else off. */
  async function recover(): Promise<void> {
    await adoptStarted(world);
    const byIssue = Map.groupBy(ledger.swarm.intents, ([, { command }]) => command.issue);
    for (const [issue, intents] of byIssue) {
      const commands = intents.map(([intent, { command }]) => ({ intent, command }));
      void performer.begin(issue, commands);
    }
    await settleMerges(world);
  }

  const reconciler = (what: string, pass: (woken: boolean, signal: AbortSignal) => Promise<number>) =>
    startReconciler({
      clock,
      onTrouble: (error) => troubles.raise(what, error),
      async pass(woken, signal) {
        const rest = await pass(woken, signal);
        troubles.clear(what);
        return rest;
      },
    });

  const recovered = recover();
  const supervision = reconciler('supervision', passOverWorkers);
  const some = reconciler('issues', passOverSome);
  const everything = reconciler('board', passOverEverything);
  return {
    wake,
    look,
    supervisor,
    performer,
    order,
    async stop() {
      await recovered;
      await Promise.all([everything.stop(), some.stop(), supervision.stop()]);
      await sweep.settled();
      await performer.stop();
      supervisor.close();
    },
  };
}

/** Opens an intent for a command that no decision asked for: a cleanup, a word to a person, an operator's order. */
async function intentFor(ledger: Ledger, command: Command): Promise<Numbered> {
  let intent = 0;
  await ledger.append((swarm) => {
    intent = swarm.lastIntent + 1;
    return [{ type: 'intent.opened', intent, command }];
  });
  return { intent, command };
}

/** One run: a legion as it is installed, decoys beside it, kills by schedule, and an observer who looks on all the time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installed, install } from '../bench/support/installed.ts';
import { type BenchLegion, benchLegion } from '../bench/support/legion.ts';
import { type Ask, approveCommands, asking } from '../bench/support/operator.ts';
import { adoption } from './adoption.ts';
import type { Order } from './arguments.ts';
import { Board } from './board.ts';
import { type Decoys, startDecoys } from './decoys.ts';
import { evidence } from './evidence.ts';
import { following } from './follow.ts';
import {
  end,
  endAllOf,
  isStill,
  isThere,
  overlapping,
  runnersOf,
  type SeenWorker,
  workersOf,
} from './processes.ts';
import { scenario } from './scenario.ts';
import { type Kill, schedule } from './schedule.ts';
import type { Seen } from './verdict.ts';

/** How often the observer looks: a worker lives for a tenth of a second at least. */
const LOOK_MS = 50;
/** A line for people after so many kills: some twenty seconds. */
const TELL_EVERY = 10;
const DEATH_LOOK_MS = 1;

/** As many deaths as there are kills, without a person in between, and no patience with what has died. */
const YAML = `legion: bench
port: 0
limits: { workers: 10, respawns: 100 }
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, backoff_most: 0.5s, after_step: 1s,
    loop_crashes: 1000, breaker_crashes: 1000 }
`;

interface Counts {
  daemon: number;
  workers: number;
  runners: number;
}

export interface Run {
  readonly seen: Seen;
  readonly counts: Counts;
  /** Kills by what they came right after; `time` where it was any moment. */
  readonly moments: Readonly<Record<string, number>>;
  readonly folder: string;
  /** Takes what is left in the folder away. */
  dispose(): Promise<void>;
}

export async function run(order: Order, signal: AbortSignal, say: (text: string) => void): Promise<Run> {
  const legion = benchLegion({ commands: true });
  const scenarioFile = join(legion.folder, 'scenario.json');
  writeFileSync(scenarioFile, scenario());
  const agents = `agents: { default: { agent: scripted, model: ${scenarioFile} } }\nscripted: allowed\n`;
  writeFileSync(join(legion.repository, 'legion.yaml'), `${YAML}${agents}`);
  say(`chaos: all of it is in ${legion.folder}`);
  const { XDG_STATE_HOME = '' } = legion.environment;
  const installed = await install(legion, signal);
  const harness = new Harness(legion, installed, join(XDG_STATE_HOME, 'legion/legions/bench'), say);
  return await harness.run(order, signal);
}

class Harness {
  readonly #legion: BenchLegion;
  readonly #state: string;
  readonly #say: (text: string) => void;
  readonly #counts: Counts = { daemon: 0, workers: 0, runners: 0 };
  readonly #moments: Record<string, number> = {};
  readonly #overlaps = new Set<string>();
  readonly #killed = new Set<string>();
  readonly #readyMs: number[] = [];
  readonly #unadopted: string[] = [];
  readonly #following = following();
  readonly #installed: Installed;
  readonly #decoys: Decoys;
  #adopted = 0;
  #daemon = 0;

  constructor(legion: BenchLegion, installed: Installed, state: string, say: (text: string) => void) {
    this.#legion = legion;
    this.#state = state;
    this.#say = say;
    this.#installed = installed;
    this.#decoys = startDecoys(installed.launcher, state, legion.environment);
  }

  async run(order: Order, signal: AbortSignal): Promise<Run> {
    const board = new Board(order.issues);
    const observer = setInterval(() => this.#observe(), LOOK_MS);
    let failure: string | undefined;
    try {
      let ask = await this.#start();
      await approveCommands(ask);
      await board.fill(ask);
      for (const [index, kill] of schedule(order.seed, order.kills).entries()) {
        const event = await this.#following.until(kill.moment, signal);
        this.#moments[event ?? 'time'] = (this.#moments[event ?? 'time'] ?? 0) + 1;
        ask = (await this.#strike(kill)) ?? ask;
        await board.topUp(ask);
        if (index % TELL_EVERY === TELL_EVERY - 1) this.#tell(index + 1, order.kills, board);
      }
      await board.untilDone(ask, () => this.#following.told.size, signal, this.#say);
      await this.#installed.down();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    } finally {
      clearInterval(observer);
      this.#following.leave();
    }
    return this.#concluded(board, failure);
  }

  /** Before the decoys are ended, so that what we do to them is not laid at Legion's door. */
  async #concluded(board: Board, failure: string | undefined): Promise<Run> {
    const decoys = { there: this.#decoys.pids.size, harmed: this.#decoys.harmed() };
    await this.#decoys.end();
    await endAllOf(this.#legion.folder);
    const seen: Seen = {
      ...evidence(this.#legion.repository, this.#state),
      ...{ titles: board.titles, board: board.issues, decoys, failure },
      ...{ overlaps: [...this.#overlaps], killed: this.#killed, told: this.#following.told.values() },
      ...{ readyMs: this.#readyMs, adopted: this.#adopted, unadopted: this.#unadopted },
    };
    const { folder, dispose } = this.#legion;
    return { seen, counts: this.#counts, moments: this.#moments, folder, dispose };
  }

  /** Resolves to how the new daemon is spoken to, where there is a new one. */
  async #strike({ victim, which }: Kill): Promise<Ask | undefined> {
    const workers = workersOf(this.#state, this.#decoys.pids);
    const runners = runnersOf(this.#state).filter(({ pid }) => !this.#decoys.pids.has(pid));
    const worker = workers[Math.floor(which * workers.length)];
    const runner = runners[Math.floor(which * runners.length)];
    // A victim may exit by itself before the signal reaches it. The daemon is killed instead, so that every strike kills something.
    if (victim === 'worker' && worker !== undefined && this.#killOne('workers', worker)) return undefined;
    if (victim === 'runner' && runner !== undefined && this.#killOne('runners', runner)) return undefined;
    end(this.#daemon);
    this.#counts.daemon += 1;
    if (victim === 'daemon and worker' && worker !== undefined) this.#killOne('workers', worker);
    while (isThere(this.#daemon)) await new Promise((resolve) => setTimeout(resolve, DEATH_LOOK_MS));
    return await this.#restart(workers);
  }

  /** Returns whether the process was still there to be killed. */
  #killOne(kind: 'workers' | 'runners', one: { pid: number; worker: string; attempt: number }): boolean {
    if (!end(one.pid)) return false;
    this.#counts[kind] += 1;
    this.#killed.add(`${one.worker}/${one.attempt}`);
    return true;
  }

  async #restart(workers: readonly SeenWorker[]): Promise<Ask> {
    const begun = performance.now();
    const ask = await this.#start();
    this.#readyMs.push(performance.now() - begun);
    const { adopted, unadopted } = await adoption(ask, workers);
    this.#adopted += adopted;
    this.#unadopted.push(...unadopted);
    return ask;
  }

  async #start(): Promise<Ask> {
    const daemon = await this.#installed.up();
    this.#daemon = daemon.pid;
    await this.#following.turnTo(daemon);
    return asking(daemon);
  }

  /** One may have ended between the look at it and the look at the other: only who is still there is there twice. */
  #observe(): void {
    for (const both of overlapping(workersOf(this.#state, this.#decoys.pids))) {
      const still = both.filter(isStill);
      if (still.length < 2) continue;
      const each = still.map(({ attempt, pid }) => `attempt ${attempt} as process ${pid}`);
      this.#overlaps.add(`${still[0]?.worker}: ${each.join(' and ')}`);
    }
  }

  #tell(done: number, of: number, board: Board): void {
    const { daemon, workers, runners } = this.#counts;
    const slowest = Math.round(Math.max(0, ...this.#readyMs));
    this.#say(
      `${done} of ${of} kills (daemon ${daemon}, workers ${workers}, runners ${runners}); ${board.inWords}; ` +
        `${this.#adopted} adopted; slowest start ${slowest} ms`,
    );
  }
}

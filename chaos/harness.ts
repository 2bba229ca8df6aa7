/**
 * Performs one run: an installed legion, decoys beside it, scheduled kills, and an observer that
 * checks continuously.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledLegion, install } from '../bench/support/installed.ts';
import { type BenchLegion, createBenchLegion } from '../bench/support/legion.ts';
import { approveCommands, createOperatorRequest, type OperatorRequest } from '../bench/support/operator.ts';
import { waitForAdoption } from './adoption.ts';
import type { ChaosOptions } from './arguments.ts';
import { ChaosBoard } from './board.ts';
import { type DecoyProcesses, startDecoys } from './decoys.ts';
import { collectEvidence } from './evidence.ts';
import { createEventFollower } from './follow.ts';
import {
  findOverlappingWorkers,
  isStill,
  isThere,
  killAllIn,
  killProcess,
  listRunners,
  listWorkers,
  type SeenWorker,
} from './processes.ts';
import { buildScenario } from './scenario.ts';
import { type ScheduledKill, schedule } from './schedule.ts';
import type { ChaosObservations } from './verdict.ts';

/** Interval of the observer. A worker runs for at least a tenth of a second. */
const OBSERVE_EVERY_MS = 50;
/** Prints a progress line after this many kills, about every twenty seconds. */
const PROGRESS_EVERY_KILLS = 10;
const DEATH_POLL_MS = 1;

/**
 * Configuration that tolerates one crash per kill without asking a person, and retries crashed
 * workers almost at once.
 */
const YAML = `legion: bench
port: 0
limits: { workers: 10, respawns: 100 }
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, backoff_most: 0.5s, after_step: 1s,
    loop_crashes: 1000, breaker_crashes: 1000 }
`;

interface KillCounts {
  daemon: number;
  workers: number;
  runners: number;
}

export interface ChaosRun {
  readonly seen: ChaosObservations;
  readonly counts: KillCounts;
  /**
   * Number of kills, by the type of the event they followed. `time` is the number of kills at an
   * arbitrary moment.
   */
  readonly moments: Readonly<Record<string, number>>;
  readonly folder: string;
  /** Removes the directory and everything left in it. */
  dispose(): Promise<void>;
}

export async function runChaos(
  order: ChaosOptions,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<ChaosRun> {
  const legion = createBenchLegion({ commands: true });
  const scenarioFile = join(legion.folder, 'scenario.json');
  writeFileSync(scenarioFile, buildScenario());
  const agents = `agents: { default: { agent: scripted, model: ${scenarioFile} } }\nscripted: allowed\n`;
  writeFileSync(join(legion.repository, 'legion.yaml'), `${YAML}${agents}`);
  say(`chaos: the run is in ${legion.folder}`);
  const { XDG_STATE_HOME = '' } = legion.environment;
  const installed = await install(legion, signal);
  const harness = new ChaosHarness(legion, installed, join(XDG_STATE_HOME, 'legion/legions/bench'), say);
  return await harness.run(order, signal);
}

class ChaosHarness {
  readonly #legion: BenchLegion;
  readonly #state: string;
  readonly #say: (text: string) => void;
  readonly #counts: KillCounts = { daemon: 0, workers: 0, runners: 0 };
  readonly #moments: Record<string, number> = {};
  readonly #overlaps = new Set<string>();
  readonly #killed = new Set<string>();
  readonly #readyMs: number[] = [];
  readonly #unadopted: string[] = [];
  readonly #following = createEventFollower();
  readonly #installed: InstalledLegion;
  readonly #decoys: DecoyProcesses;
  #adopted = 0;
  #daemon = 0;

  constructor(legion: BenchLegion, installed: InstalledLegion, state: string, say: (text: string) => void) {
    this.#legion = legion;
    this.#state = state;
    this.#say = say;
    this.#installed = installed;
    this.#decoys = startDecoys(installed.launcher, state, legion.environment);
  }

  async run(order: ChaosOptions, signal: AbortSignal): Promise<ChaosRun> {
    const board = new ChaosBoard(order.issues);
    const observer = setInterval(() => this.#observe(), OBSERVE_EVERY_MS);
    let failure: string | undefined;
    try {
      let ask = await this.#start();
      await approveCommands(ask);
      await board.fill(ask);
      for (const [index, kill] of schedule(order.seed, order.kills).entries()) {
        const event = await this.#following.waitForMoment(kill.moment, signal);
        this.#moments[event ?? 'time'] = (this.#moments[event ?? 'time'] ?? 0) + 1;
        ask = (await this.#strike(kill)) ?? ask;
        await board.topUp(ask);
        if (index % PROGRESS_EVERY_KILLS === PROGRESS_EVERY_KILLS - 1)
          this.#tell(index + 1, order.kills, board);
      }
      await board.untilDone(ask, () => this.#following.observedEvents.size, signal, this.#say);
      await this.#installed.down();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    } finally {
      clearInterval(observer);
      this.#following.close();
    }
    return this.#concluded(board, failure);
  }

  /**
   * Collects the results of the run. Checks the decoys before ending them, so that Legion is not
   * blamed for their end.
   */
  async #concluded(board: ChaosBoard, failure: string | undefined): Promise<ChaosRun> {
    const decoys = { there: this.#decoys.pids.size, harmed: this.#decoys.harmed() };
    await this.#decoys.end();
    await killAllIn(this.#legion.folder);
    const seen: ChaosObservations = {
      ...collectEvidence(this.#legion.repository, this.#state),
      titles: board.titles,
      board: board.issues,
      decoys,
      failure,
      overlaps: [...this.#overlaps],
      killed: this.#killed,
      observedEvents: this.#following.observedEvents.values(),
      readyMs: this.#readyMs,
      adopted: this.#adopted,
      unadopted: this.#unadopted,
    };
    const { folder, dispose } = this.#legion;
    return { seen, counts: this.#counts, moments: this.#moments, folder, dispose };
  }

  /** Performs one kill. Resolves to a client for the new daemon, if one was started. */
  async #strike({ victim, which }: ScheduledKill): Promise<OperatorRequest | undefined> {
    const workers = listWorkers(this.#state, this.#decoys.pids);
    const runners = listRunners(this.#state).filter(({ pid }) => !this.#decoys.pids.has(pid));
    const worker = workers[Math.floor(which * workers.length)];
    const runner = runners[Math.floor(which * runners.length)];
    // A worker or runner may exit by itself before the signal reaches it. The daemon is then killed
    // instead, so that every strike kills something.
    if (victim === 'worker' && worker !== undefined && this.#killOne('workers', worker)) return undefined;
    if (victim === 'runner' && runner !== undefined && this.#killOne('runners', runner)) return undefined;
    killProcess(this.#daemon);
    this.#counts.daemon += 1;
    if (victim === 'daemon and worker' && worker !== undefined) this.#killOne('workers', worker);
    while (isThere(this.#daemon)) await new Promise((resolve) => setTimeout(resolve, DEATH_POLL_MS));
    return await this.#restart(workers);
  }

  /** Returns whether the process still existed and was killed. */
  #killOne(kind: 'workers' | 'runners', one: { pid: number; worker: string; attempt: number }): boolean {
    if (!killProcess(one.pid)) return false;
    this.#counts[kind] += 1;
    this.#killed.add(`${one.worker}/${one.attempt}`);
    return true;
  }

  async #restart(workers: readonly SeenWorker[]): Promise<OperatorRequest> {
    const begun = performance.now();
    const ask = await this.#start();
    this.#readyMs.push(performance.now() - begun);
    const { adopted, unadopted } = await waitForAdoption(ask, workers);
    this.#adopted += adopted;
    this.#unadopted.push(...unadopted);
    return ask;
  }

  async #start(): Promise<OperatorRequest> {
    const daemon = await this.#installed.up();
    this.#daemon = daemon.pid;
    await this.#following.follow(daemon);
    return createOperatorRequest(daemon);
  }

  /**
   * Records workers that run twice. Checks each process again, because it may have exited since the
   * list was read.
   */
  #observe(): void {
    for (const both of findOverlappingWorkers(listWorkers(this.#state, this.#decoys.pids))) {
      const still = both.filter(isStill);
      if (still.length < 2) continue;
      const each = still.map(({ attempt, pid }) => `attempt ${attempt} as process ${pid}`);
      this.#overlaps.add(`${still[0]?.worker}: ${each.join(' and ')}`);
    }
  }

  #tell(done: number, of: number, board: ChaosBoard): void {
    const { daemon, workers, runners } = this.#counts;
    const slowest = Math.round(Math.max(0, ...this.#readyMs));
    this.#say(
      `${done} of ${of} kills (daemon ${daemon}, workers ${workers}, runners ${runners}); ${board.inWords}; ` +
        `${this.#adopted} adopted; slowest start ${slowest} ms`,
    );
  }
}

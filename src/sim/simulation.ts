/**
 * Runs one simulation: a few issues and faults drawn from a seed, then a period without faults. At
 * the end of that period, every issue must be Done and no rule may be broken.
 */

import type { IssuePriority } from '../core/model/issue.ts';
import { hasEnded } from '../core/model/lifecycle.ts';
import type { OperatorService, WorkerService } from '../daemon/daemon.ts';
import type { SimDaemon } from './daemon.ts';
import { FAULT_KINDS, FaultInjector, type FaultKind, omitFaults } from './faults.ts';
import { moveBase, runIncidents, superviseDaemons } from './incidents.ts';
import { createSeededRandom, type SeededRandom } from './random.ts';
import { SimulationRules } from './rules.ts';
import { SimTime } from './time.ts';
import { sendVerb, startSimWorker } from './worker.ts';
import { createSimWorld, type SimWorld } from './world.ts';

const HOUR_MS = 3_600_000;
const FAULTY_PERIOD_MS = 6 * HOUR_MS;
/**
 * Length of the period without faults. The slowest issue needs a few hours of it for quota resets,
 * people's answers and its phases.
 */
const HEALED_PERIOD_MS = 48 * HOUR_MS;

/** Most runs have up to three issues, enough to block each other. Some have one more. */
const MAX_ISSUES = 3;
const EXTRA_ISSUE_SHARE = 0.15;

export interface SimulationResult {
  readonly seed: number;
  readonly ok: boolean;
  readonly broken: readonly string[];
  /** Equal for two runs in which the same things happened in the same order at the same time. */
  readonly trace: string;
  readonly events: number;
  readonly hours: number;
  /** Number of dispatched attempts. */
  readonly sessions: number;
  /** Number of merged pull requests. */
  readonly merged: number;
  /** How often each kind of fault occurred. */
  readonly faultCounts: Readonly<Record<string, number>>;
  readonly log: readonly string[];
}

/** `omitted` lists kinds of faults to leave out. */
export async function runSimulation(
  seed: number,
  omitted: ReadonlySet<FaultKind> = new Set(),
): Promise<SimulationResult> {
  const random = createSeededRandom(seed);
  const time = new SimTime();
  const rules = new SimulationRules(time);
  const faults = new FaultInjector(random, (kind) => rules.countFault(kind));
  omitFaults(faults, omitted);
  let current: SimDaemon | undefined;
  const world = createSimWorld({
    time,
    random,
    faults,
    rules,
    play: (simWorld, process) =>
      startSimWorker(
        {
          time,
          random,
          faults,
          code: simWorld.code,
          host: simWorld.host,
          rules,
          world: simWorld,
          sessionWritten: simWorld.sessionWritten,
          say: (process, verb, input) => sendVerb(simWorld, current, process, verb, input),
        },
        process,
      ),
  });
  await writeIssues(world, random);
  void superviseDaemons(world, (daemon) => {
    current = daemon;
  });
  void runPeople(world, () => current);
  void moveBase(world, omitted);
  void runIncidents(world, FAULTY_PERIOD_MS, omitted, () => current);
  const isOver = () => rules.broken.length > 0 || world.board.isDone;
  await time.pass(FAULTY_PERIOD_MS, isOver);
  rules.record('all faults are switched off');
  faults.heal();
  world.host.hasDiskSpace = true;
  await time.pass(time.elapsed + HEALED_PERIOD_MS, isOver);
  // Messages stored while no daemon was running are imported in the next pass.
  if (rules.broken.length === 0)
    await time.pass(time.elapsed + HOUR_MS, () => world.outboxes.unread.length === 0);
  await reportStuckIssues(world, current);
  return {
    seed,
    ok: rules.broken.length === 0,
    broken: rules.broken,
    trace: rules.trace,
    events: world.journal.events.length,
    hours: Math.round(time.elapsed / HOUR_MS),
    sessions: world.journal.events.filter(({ type }) => type === 'attempt.dispatched').length,
    merged: world.forge.entries.filter(({ merged }) => merged !== undefined).length,
    faultCounts: Object.fromEntries(rules.faultCounts),
    log: rules.lines,
  };
}

async function writeIssues({ board }: SimWorld, random: SeededRandom): Promise<void> {
  const count = random.between(1, MAX_ISSUES) + (random.chance(EXTRA_ISSUE_SHARE) ? 1 : 0);
  for (let number = 1; number <= count; number += 1) {
    const isClear = random.chance(0.7);
    const body = isClear
      ? 'The command should greet.\n\nAcceptance criteria:\n- greet returns a greeting\n- an empty name is refused'
      : 'Better.';
    const before = number > 1 && random.chance(0.2) ? [`SIM-${number - 1}`] : [];
    await board.create(`issue ${number}`, {
      title: `Issue ${number}`,
      body,
      status: 'Triage',
      blockedBy: before,
      labels: [random.pick(['chore', 'feature'])],
      priority: random.between(0, 4) as IssuePriority,
    });
  }
}

const EXPLAIN_TIMEOUT_MS = 60_000;

/**
 * Reports each issue that is not Done at the end of the period without faults, with the daemon's
 * explanation.
 */
async function reportStuckIssues(
  { board, rules, time, outboxes }: SimWorld,
  daemon: SimDaemon | undefined,
): Promise<void> {
  if (rules.broken.length > 0) return;
  rules.people.checkAnnouncements();
  for (const { worker, who } of outboxes.unread)
    rules.recordViolation(`a message from attempt ${who.attempt} of ${worker} was never read`);
  for (const { id, column } of board.cards.values()) {
    if (column === 'Done') continue;
    const explanation = daemon?.services.operator
      .explain(id)
      .then(({ state }) => `${state.reason}: ${state.evidence.join(', ')}`);
    const timeout = time.pass(time.elapsed + EXPLAIN_TIMEOUT_MS, () => false).then(() => 'unknown');
    const why = await Promise.race([explanation, timeout]);
    rules.recordViolation(`${id} stays in ${column}: ${why ?? 'no daemon is running'}`);
  }
}

const MINUTE_MS = 60_000;
const MIN_INBOX_INTERVAL_MS = MINUTE_MS;
const MAX_INBOX_INTERVAL_MS = 20 * MINUTE_MS;
const OPERATOR_NAME = 'ada';
const EVERY_WORKER = { active: false, finished: 'all' } as const;
/**
 * Text that people add to an issue. It is long enough and has an acceptance criterion; otherwise
 * the issue would stay in the Icebox.
 */
const CLARIFICATION =
  'It should return the sum of all quantities, and must refuse a negative one with a message.';

/**
 * Simulates people who check the inbox now and then, forever, and handle its items or ignore them.
 * `daemon` returns the running daemon.
 */
async function runPeople(world: SimWorld, daemon: () => SimDaemon | undefined): Promise<never> {
  const { time, random, faults, rules } = world;
  for (;;) {
    await time.sleep(random.between(MIN_INBOX_INTERVAL_MS, MAX_INBOX_INTERVAL_MS));
    const current = daemon();
    if (current === undefined || current.process.frozen !== undefined) continue;
    // A refused action is retried at the next check. If the daemon dies first, the call never
    // returns.
    const check = checkInbox(current).catch((error: unknown) =>
      rules.record(`a person's action was refused: ${String(error)}`),
    );
    await Promise.race([check, time.sleep(MINUTE_MS)]);
  }

  async function checkInbox({ services: { operator, issues, workers } }: SimDaemon): Promise<void> {
    const stopWorkersOf = async (issue: string) => {
      for (const { id, issue: workerIssue, status } of await workers.list(EVERY_WORKER)) {
        if (workerIssue !== issue || status !== 'executing') continue;
        await workers.stop(id, { by: OPERATOR_NAME, restart: true });
      }
    };
    for (const { id, status } of await workers.list(EVERY_WORKER)) {
      if (!hasEnded(status)) rules.people.checkWorkerStatus(await workers.status(id));
    }
    if (faults.drawFault('stopping', 'a person stops workers')) await stopRandomWorker(operator, workers);
    for (const { kind, issue, question } of await operator.inbox()) {
      if (faults.drawFault('ignoring', 'a person does not answer')) continue;
      rules.people.recordAction(kind, issue);
      if (kind === 'paused' && issue === null) rules.people.recordResume();
      if (kind === 'paused') await operator.resume(issue ?? undefined, OPERATOR_NAME);
      else if (issue === null) continue;
      else if (kind === 'approval') await operator.approve(issue, { by: OPERATOR_NAME, through: 'cli' });
      else if (kind === 'clarification') await issues.comment(issue, OPERATOR_NAME, CLARIFICATION);
      else if (kind === 'worker') await stopWorkersOf(issue);
      else if (kind === 'question' || kind === 'escalation') {
        await operator.answer(issue, {
          text: 'The first.',
          by: OPERATOR_NAME,
          ...(question === undefined ? {} : { question }),
        });
      }
    }
  }

  /**
   * Stops one worker, which also holds its issue, or halts the whole legion if no worker was
   * picked.
   */
  async function stopRandomWorker(operator: OperatorService, workers: WorkerService): Promise<void> {
    const running = (await workers.list(EVERY_WORKER)).filter(({ status }) => !hasEnded(status));
    const worker = running[random.between(0, running.length)];
    if (worker === undefined) {
      rules.people.recordHaltOrder(await workers.list(EVERY_WORKER));
      await operator.halt(OPERATOR_NAME, 'enough for now');
      rules.people.recordHalt();
    } else {
      rules.people.recordStop(worker);
      await workers.stop(worker.id, { by: OPERATOR_NAME, restart: false });
    }
  }
}

export interface MinimalFailure {
  readonly result: SimulationResult;
  /** Kinds of faults without which the run would not fail. */
  readonly needs: readonly FaultKind[];
}

/**
 * Reduces a failing run to the faults that make it fail. Disables one kind after another, and
 * leaves it disabled if the run still fails.
 */
export async function findMinimalFailure(seed: number): Promise<MinimalFailure> {
  const omitted = new Set<FaultKind>();
  let result = await runSimulation(seed);
  for (const kind of FAULT_KINDS) {
    const candidate = await runSimulation(seed, new Set([...omitted, kind]));
    if (candidate.ok) continue;
    omitted.add(kind);
    result = candidate;
  }
  return { result, needs: FAULT_KINDS.filter((kind) => !omitted.has(kind)) };
}

/** Selects the lines about the affected issues and those that concern all issues. */
export function filterRelevantLines({ broken, log }: SimulationResult): readonly string[] {
  const issues = new Set(
    broken.flatMap((violation) => violation.match(/sim-\d+/gi) ?? []).map((id) => id.toLowerCase()),
  );
  return log.filter((line) => {
    const ids = line.match(/sim-\d+/gi)?.map((id) => id.toLowerCase()) ?? [];
    return ids.length === 0 || ids.some((id) => issues.has(id));
  });
}

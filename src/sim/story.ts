/** One story: a few issues, a seed full of trouble, then healing; at its end everything is Done, or a rule is broken. */
import { LegionError } from '../domain/fault.ts';
import type { Priority } from '../domain/issue.ts';
import type { Mode } from '../domain/mode.ts';
import { KEPT_WHILE_AWAY } from '../protocol/verb.ts';
import { type Kind, leaveOut, TROUBLES } from './calm.ts';
import { type SimDaemon, startDaemon } from './daemon.ts';
import { type Earth, makeEarth } from './earth.ts';
import { Faults, type PortName } from './faults.ts';
import type { SimProcess } from './host.ts';
import { type Life, never } from './mortal.ts';
import { livePeople } from './people.ts';
import { type Random, randomFrom } from './random.ts';
import { Rules } from './rules.ts';
import { Time } from './time.ts';
import { playWorker, type Said } from './worker.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const TROUBLED_MS = 6 * HOUR_MS;
/** Healed, the slowest issue needs some hours: quota that ends, people who answer within minutes, phases of minutes. */
const HEALED_MS = 48 * HOUR_MS;
/** As long as a worker waits for an answer. */
const ANSWER_MS = 30 * SECOND_MS;

const ISSUES_MOST = 4;
const PORTS: readonly [PortName, ...PortName[]] = ['tracker', 'forge', 'workspaces', 'host', 'journal'];

export interface Told {
  readonly seed: number;
  readonly ok: boolean;
  readonly broken: readonly string[];
  /** Equal for two runs in which the same happened in the same order at the same time. */
  readonly trace: string;
  readonly events: number;
  readonly hours: number;
  readonly story: readonly string[];
}

/** `without`: kinds of trouble that are left out of it. */
export async function tellStory(seed: number, without: ReadonlySet<Kind> = new Set()): Promise<Told> {
  const random = randomFrom(seed);
  const time = new Time();
  const rules = new Rules(time);
  const faults = new Faults(random);
  leaveOut(faults, without);
  let present: SimDaemon | undefined;
  const earth = makeEarth({
    ...{ time, random, faults, rules },
    play: (of, process) =>
      playWorker(
        {
          ...{ time, random, code: of.code, host: of.host, sessionWritten: of.sessionWritten },
          misbehaving: () => faults.rates.misbehaving,
          say: (speaker, verb, input) => say(of, () => present, speaker, verb, input),
        },
        process,
      ),
  });
  await writeIssues(earth, random);
  void runDaemons(earth, (daemon) => {
    present = daemon;
  });
  void livePeople(earth, () => present);
  void makeTrouble(earth, without, () => present);
  const isOver = () =>
    rules.broken.length > 0 || [...earth.board.cards.values()].every(({ column }) => column === 'Done');
  await time.pass(TROUBLED_MS, isOver);
  rules.tell('everything is healed');
  faults.heal();
  earth.host.hasRoom = true;
  await time.pass(time.elapsed + HEALED_MS, isOver);
  // What was kept while nobody was there is read with the next look at the board.
  if (rules.broken.length === 0)
    await time.pass(time.elapsed + HOUR_MS, () => earth.outboxes.left.length === 0);
  await nameTheStuck(earth, present);
  return {
    seed,
    ok: rules.broken.length === 0,
    broken: rules.broken,
    trace: rules.trace,
    events: earth.journal.events.length,
    hours: Math.round(time.elapsed / HOUR_MS),
    story: rules.story,
  };
}

async function writeIssues({ board }: Earth, random: Random): Promise<void> {
  const count = random.between(1, ISSUES_MOST);
  for (let number = 1; number <= count; number += 1) {
    const isClear = random.chance(0.7);
    const body = isClear
      ? 'The command should greet.\n\nAcceptance criteria:\n- greet returns a greeting\n- an empty name is refused'
      : 'Better.';
    const before = number > 1 && random.chance(0.2) ? [`SIM-${number - 1}`] : [];
    await board.create(`issue ${number}`, {
      ...{ title: `Issue ${number}`, body, status: 'Triage', blockedBy: before },
      labels: [random.pick(['chore', 'feature'])],
      priority: random.between(0, 4) as Priority,
    });
  }
}

/** Starts a daemon whenever there is none, as a service manager does, now soon and now late. */
async function runDaemons(earth: Earth, present: (daemon: SimDaemon | undefined) => void): Promise<never> {
  const { time, random, rules } = earth;
  for (;;) {
    const dead = Promise.withResolvers<void>();
    const life: Life & { isAlive: boolean } = {
      isAlive: true,
      die() {
        if (!life.isAlive) return;
        life.isAlive = false;
        rules.tell('the daemon is killed');
        present(undefined);
        dead.resolve();
      },
    };
    rules.tell('a daemon starts');
    startDaemon(earth, life).then(present, (error: unknown) => {
      rules.tell(`it could not start: ${String(error)}`);
      life.die();
    });
    await dead.promise;
    await time.sleep(
      random.chance(0.1) ? random.between(1, 60) * MINUTE_MS : random.between(1, 60) * SECOND_MS,
    );
  }
}

/** What happens to everybody: outages, a full disk, a clock that jumps, processes that the machine kills. */
async function makeTrouble(
  earth: Earth,
  without: ReadonlySet<Kind>,
  daemon: () => SimDaemon | undefined,
): Promise<void> {
  const { time, random, faults, host, rules } = earth;
  while (time.elapsed < TROUBLED_MS) {
    await time.sleep(random.between(MINUTE_MS, HOUR_MS));
    if (time.elapsed >= TROUBLED_MS) return;
    const kind = random.pick(TROUBLES);
    const [port, minutes] = [random.pick(PORTS), random.between(1, 40)];
    if (without.has(kind)) continue;
    rules.tell(kind === 'outages' ? `${port} is away for ${minutes} min` : kind);
    switch (kind) {
      case 'outages':
        faults.away.add(port);
        time.after(minutes * MINUTE_MS, () => faults.away.delete(port));
        break;
      case 'full disk':
        host.hasRoom = false;
        faults.isDiskFull = true;
        time.after(minutes * MINUTE_MS, () => {
          host.hasRoom = true;
          faults.isDiskFull = false;
        });
        break;
      case 'clock jumps':
        time.jump((minutes - 20) * MINUTE_MS);
        break;
      case 'daemon kills':
        daemon()?.life.die();
        break;
      case 'worker kills': {
        const victim = host.processes.find(({ exit }) => exit === undefined);
        if (victim === undefined) break;
        victim.isHealthy = false;
        host.end(victim, { code: null, signal: 'SIGKILL' });
      }
    }
  }
}

/** The way of a worker's word: to the daemon that is there, else into the outbox. */
async function say(
  earth: Earth,
  daemon: () => SimDaemon | undefined,
  process: SimProcess,
  verb: Parameters<SimDaemon['speech']['say']>[1],
  input: object,
): Promise<Said> {
  const { env, worker, attempt } = process.order;
  const { LEGION_ISSUE: issue = '', LEGION_MODE: mode } = env;
  const who = { issue, mode: mode as Mode, attempt };
  const message = `${worker}/${attempt}/${earth.random.next()}`;
  const present = daemon();
  const answered =
    present === undefined ? 'away' : await answerOf(earth, present, { who, verb, input, message });
  if (answered !== 'away') {
    if (verb === 'done' && answered.durable === true) earth.rules.acknowledged(earth, worker, attempt);
    return answered;
  }
  if (!KEPT_WHILE_AWAY.includes(verb)) throw new LegionError('speech.daemon_away', 'nobody answers');
  earth.outboxes.keep({ who, verb, input, message });
  return { durable: true };
}

async function answerOf(
  { time }: Earth,
  { speech, life }: SimDaemon,
  { who, verb, input, message }: Parameters<Earth['outboxes']['keep']>[0],
): Promise<Said | 'away'> {
  const answer = speech.say(who, verb, input, message) as Promise<Said>;
  const late = time.sleep(ANSWER_MS).then(() => 'away' as const);
  const heard = answer.then(
    (said) => (life.isAlive ? said : never()),
    (error: unknown) => (life.isAlive ? Promise.reject(error) : never()),
  );
  return Promise.race([heard, late]);
}

async function nameTheStuck(
  { board, rules, time, outboxes }: Earth,
  daemon: SimDaemon | undefined,
): Promise<void> {
  if (rules.broken.length > 0) return;
  for (const { who } of outboxes.left) rules.unread(`${who.issue}-${who.mode} ${who.attempt}`);
  for (const { id, column } of [...board.cards.values()]) {
    if (column === 'Done') continue;
    const explained = daemon?.desks.operator
      .explain(id)
      .then(({ state }) => `${state.reason}: ${state.evidence.join(', ')}`);
    const why = await Promise.race([
      explained,
      time.pass(time.elapsed + MINUTE_MS, () => false).then(() => 'unknown'),
    ]);
    rules.stuck(id, column, why ?? 'no daemon runs');
  }
}

/** One story: a few issues, a seed full of trouble, then healing; at its end everything is Done, or a rule is broken. */
import type { OperatorDesk, WorkersDesk } from '../daemon/daemon.ts';
import type { Priority } from '../domain/issue.ts';
import { hasEnded } from '../domain/lifecycle.ts';
import { type Kind, leaveOut } from './calm.ts';
import type { SimDaemon } from './daemon.ts';
import { Faults } from './faults.ts';
import { moveBase } from './moving-base.ts';
import { type Random, randomFrom } from './random.ts';
import { Rules } from './rules.ts';
import { succession } from './succession.ts';
import { Time } from './time.ts';
import { makeTrouble } from './trouble.ts';
import { say } from './voice.ts';
import { playWorker } from './worker.ts';
import { type Earth, makeEarth } from './world.ts';

const HOUR_MS = 3_600_000;
const TROUBLED_MS = 6 * HOUR_MS;
/** Healed, the slowest issue needs some hours: quota that ends, people who answer within minutes, phases of minutes. */
const HEALED_MS = 48 * HOUR_MS;

/** Most stories have up to three, which is enough for each to be in the way of another; some have one more. */
const ISSUES_MOST = 3;
const ONE_MORE = 0.15;

export interface Told {
  readonly seed: number;
  readonly ok: boolean;
  readonly broken: readonly string[];
  /** Equal for two runs in which the same happened in the same order at the same time. */
  readonly trace: string;
  readonly events: number;
  readonly hours: number;
  /** Workers that were sent, and issues whose work landed. */
  readonly sessions: number;
  readonly merged: number;
  /** How often each kind of trouble really came. */
  readonly troubles: Readonly<Record<string, number>>;
  readonly story: readonly string[];
}

/** `without`: kinds of trouble that are left out of it. */
export async function tellStory(seed: number, without: ReadonlySet<Kind> = new Set()): Promise<Told> {
  const random = randomFrom(seed);
  const time = new Time();
  const rules = new Rules(time);
  const faults = new Faults(random, (kind) => rules.struck(kind));
  leaveOut(faults, without);
  let present: SimDaemon | undefined;
  const earth = makeEarth({
    ...{ time, random, faults, rules },
    play: (of, process) =>
      playWorker(
        {
          ...{ time, random, faults, code: of.code, host: of.host, rules, earth: of },
          sessionWritten: of.sessionWritten,
          say: (speaker, verb, input) => say(of, present, speaker, verb, input),
        },
        process,
      ),
  });
  await writeIssues(earth, random);
  void succession(earth, (daemon) => {
    present = daemon;
  });
  void livePeople(earth, () => present);
  void moveBase(earth, without);
  void makeTrouble(earth, TROUBLED_MS, without, () => present);
  const isOver = () => rules.broken.length > 0 || earth.board.isDone;
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
    sessions: earth.journal.events.filter(({ type }) => type === 'attempt.dispatched').length,
    merged: earth.forge.entries.filter(({ merged }) => merged !== undefined).length,
    troubles: Object.fromEntries(rules.troubles),
    story: rules.story,
  };
}

async function writeIssues({ board }: Earth, random: Random): Promise<void> {
  const count = random.between(1, ISSUES_MOST) + (random.chance(ONE_MORE) ? 1 : 0);
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

const PATIENCE_MS = 60_000;

/** What is left when everything is healed and everybody has answered: each issue that is not Done, with what its daemon says of it. */
async function nameTheStuck(
  { board, rules, time, outboxes }: Earth,
  daemon: SimDaemon | undefined,
): Promise<void> {
  if (rules.broken.length > 0) return;
  rules.people.ended();
  for (const { worker, who } of outboxes.left)
    rules.breaks(`a letter of ${worker} ${who.attempt} was never read`);
  for (const { id, column } of board.cards.values()) {
    if (column === 'Done') continue;
    const explained = daemon?.desks.operator
      .explain(id)
      .then(({ state }) => `${state.reason}: ${state.evidence.join(', ')}`);
    const unexplained = time.pass(time.elapsed + PATIENCE_MS, () => false).then(() => 'unknown');
    const why = await Promise.race([explained, unexplained]);
    rules.breaks(`${id} stays in ${column}: ${why ?? 'no daemon runs'}`);
  }
}

/** The people of a story: they look into the inbox now and then, and settle what they find, or do not. */
const MINUTE_MS = 60_000;
const LOOK_LEAST_MS = MINUTE_MS;
const LOOK_MOST_MS = 20 * MINUTE_MS;
const ADA = 'ada';
/** Long enough, and with a criterion: less would leave the issue in the Icebox. */
const CLARIFICATION =
  'It should return the sum of all quantities, and must refuse a negative one with a message.';

/** They never stop looking. `daemon` is the one that runs at present. */
async function livePeople(earth: Earth, daemon: () => SimDaemon | undefined): Promise<never> {
  const { time, random, faults, rules } = earth;
  for (;;) {
    await time.sleep(random.between(LOOK_LEAST_MS, LOOK_MOST_MS));
    const present = daemon();
    if (present === undefined || present.life.frozen !== undefined) continue;
    // Whatever is refused is tried again at the next look; whoever dies amidst it answers nobody.
    const looked = look(present).catch((error: unknown) =>
      rules.tell(`a person was refused: ${String(error)}`),
    );
    await Promise.race([looked, time.sleep(MINUTE_MS)]);
  }

  async function look({ desks: { operator, issues, workers } }: SimDaemon): Promise<void> {
    const stopThe = async (issue: string) => {
      for (const { id, issue: of, status } of workers.list()) {
        if (of !== issue || status !== 'executing') continue;
        await workers.stop(id, { by: ADA, restart: true });
      }
    };
    for (const { id, status } of workers.list()) {
      if (!hasEnded(status)) rules.people.seen(await workers.status(id));
    }
    if (faults.comes('stopping', 'a person stops workers')) await stopSomebody(operator, workers);
    for (const { kind, issue, question } of await operator.inbox()) {
      if (faults.comes('ignoring', 'a person does not answer')) continue;
      rules.people.settles(kind, issue);
      if (kind === 'paused' && issue === null) rules.people.resumes();
      if (kind === 'paused') await operator.resume(issue ?? undefined, ADA);
      else if (issue === null) continue;
      else if (kind === 'approval') await operator.approve(issue, ADA);
      else if (kind === 'clarification') await issues.comment(issue, ADA, CLARIFICATION);
      else if (kind === 'worker') await stopThe(issue);
      else if (kind === 'question' || kind === 'escalation') {
        await operator.answer(issue, {
          text: 'The first.',
          by: ADA,
          ...(question === undefined ? {} : { question }),
        });
      }
    }
  }

  /** One worker with its issue, or all of them. */
  async function stopSomebody(operator: OperatorDesk, workers: WorkersDesk): Promise<void> {
    const present = workers.list().filter(({ status }) => !hasEnded(status));
    const one = present[random.between(0, present.length)];
    if (one === undefined) {
      rules.people.halts(workers.list());
      await operator.halt(ADA, 'enough for now');
      rules.people.halted();
    } else {
      rules.people.stops(one);
      await workers.stop(one.id, { by: ADA, restart: false });
    }
  }
}

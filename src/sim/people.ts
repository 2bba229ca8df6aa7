/** The people of a story: they look into the inbox now and then, and settle what they find, or do not. */
import type { OperatorDesk, WorkersDesk } from '../daemon/daemon.ts';
import { hasEnded } from '../domain/lifecycle.ts';
import type { SimDaemon } from './daemon.ts';
import type { Earth } from './earth.ts';

const MINUTE_MS = 60_000;
const LOOK_LEAST_MS = MINUTE_MS;
const LOOK_MOST_MS = 20 * MINUTE_MS;
const ADA = 'ada';
/** Long enough, and with a criterion: less would leave the issue in the Icebox. */
const CLARIFICATION =
  'It should return the sum of all quantities, and must refuse a negative one with a message.';

/** They never stop looking. `daemon` is the one that runs at present. */
export async function livePeople(earth: Earth, daemon: () => SimDaemon | undefined): Promise<never> {
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

/** Starts a daemon whenever there is none, as a service manager does, now soon and now late; or while one is frozen. */
import { type SimDaemon, startDaemon } from './daemon.ts';
import { Life } from './life.ts';
import type { Earth } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** `present` hears who answers at the legion's address from now on. */
export async function succession(
  earth: Earth,
  present: (daemon: SimDaemon | undefined) => void,
): Promise<never> {
  const { time, random, rules } = earth;
  let newest: Life | undefined;
  for (;;) {
    const life = new Life(() => {
      rules.tell('the daemon is killed');
      // One that was taken for dead has had a successor by then, who stays.
      if (newest === life) present(undefined);
    });
    newest = life;
    rules.tell('a daemon starts');
    startDaemon(earth, life).then(
      (daemon) => {
        if (life.isAlive && newest === life) present(daemon);
      },
      (error: unknown) => {
        rules.tell(`it could not start: ${String(error)}`);
        life.die();
      },
    );
    await life.left;
    if (life.isAlive) rules.struck('a successor beside a frozen daemon');
    else await time.sleep(pause());
  }

  function pause(): number {
    return random.chance(0.1) ? random.between(1, 60) * MINUTE_MS : random.between(1, 60) * SECOND_MS;
  }
}

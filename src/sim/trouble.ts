/** What happens to everybody: outages, a full disk, a clock that jumps, a machine that freezes or cannot be looked at, kills. */
import { type Kind, TROUBLES } from './calm.ts';
import type { SimDaemon } from './daemon.ts';
import type { PortName } from './faults.ts';
import type { Earth } from './world.ts';

const MINUTE_MS = 60_000;
const APART_LEAST_MS = MINUTE_MS;
const APART_MOST_MS = 45 * MINUTE_MS;
const LONGEST_MIN = 40;
/** A clock is set back by up to this, or ahead. */
const JUMP_MOST_MIN = 20;
const PORTS: readonly [PortName, ...PortName[]] = ['tracker', 'forge', 'workspaces', 'host', 'journal'];

/** One after the other until `until`; `daemon` is the one that runs at present. */
export async function makeTrouble(
  earth: Earth,
  until: number,
  without: ReadonlySet<Kind>,
  daemon: () => SimDaemon | undefined,
): Promise<void> {
  const { time, random, faults, host, rules } = earth;
  for (;;) {
    await time.sleep(random.between(APART_LEAST_MS, APART_MOST_MS));
    if (time.elapsed >= until) return;
    // All of it is drawn whatever is left out, so that everything else happens as it did.
    const kind = random.pick(TROUBLES);
    const [port, minutes] = [random.pick(PORTS), random.between(1, LONGEST_MIN)];
    const patience = random.between(1, LONGEST_MIN);
    if (without.has(kind)) continue;
    rules.tell(kind === 'outages' ? `${port} is away for ${minutes} min` : `${kind}, ${minutes} min`);
    rules.struck(kind);
    const afterwards = (work: () => void) => time.after(minutes * MINUTE_MS, work);
    switch (kind) {
      case 'outages':
        faults.away.add(port);
        afterwards(() => faults.away.delete(port));
        break;
      case 'full disk':
        host.hasRoom = false;
        faults.isDiskFull = true;
        afterwards(() => {
          host.hasRoom = true;
          faults.isDiskFull = false;
        });
        break;
      case 'blindness':
        faults.isBlind = true;
        afterwards(() => {
          faults.isBlind = false;
        });
        break;
      case 'clock jumps':
        time.jump((minutes - JUMP_MOST_MIN) * MINUTE_MS);
        break;
      case 'freezes': {
        const life = daemon()?.life;
        life?.freeze();
        afterwards(() => life?.thaw());
        time.after(patience * MINUTE_MS, () => life?.giveUp());
        break;
      }
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

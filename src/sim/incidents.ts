/**
 * Injects faults that affect everything (outages, a full disk, clock jumps, freezes, unobservable
 * processes, kills, pushes to the base branch) and restarts the daemon.
 */

import { SHARED_FILE, toIssueFile } from './code.ts';
import { type SimDaemon, startSimDaemon } from './daemon.ts';
import { type FaultKind, INCIDENT_KINDS, type PortName } from './faults.ts';
import { DaemonProcess } from './unreliable-ports.ts';
import type { SimWorld } from './world.ts';

const MINUTE_MS = 60_000;
const MIN_INCIDENT_GAP_MS = MINUTE_MS;
const MAX_INCIDENT_GAP_MS = 45 * MINUTE_MS;
const MAX_INCIDENT_MINUTES = 40;
/** Maximum clock jump, back or ahead. */
const MAX_CLOCK_JUMP_MINUTES = 20;
const PORTS: readonly [PortName, ...PortName[]] = ['tracker', 'forge', 'workspaces', 'host', 'journal'];

/** Injects one fault after another until the time `until`. `daemon` returns the running daemon. */
export async function runIncidents(
  world: SimWorld,
  until: number,
  omitted: ReadonlySet<FaultKind>,
  daemon: () => SimDaemon | undefined,
): Promise<void> {
  const { time, random, faults, host, rules } = world;
  for (;;) {
    await time.sleep(random.between(MIN_INCIDENT_GAP_MS, MAX_INCIDENT_GAP_MS));
    if (time.elapsed >= until) return;
    // Random numbers are drawn even for faults that are left out, so that everything else happens
    // unchanged.
    const kind = random.pick(INCIDENT_KINDS);
    const [port, minutes] = [random.pick(PORTS), random.between(1, MAX_INCIDENT_MINUTES)];
    const giveUpMinutes = random.between(1, MAX_INCIDENT_MINUTES);
    if (omitted.has(kind)) continue;
    rules.record(
      kind === 'outages' ? `${port} is unreachable for ${minutes} min` : `${kind}, ${minutes} min`,
    );
    rules.countFault(kind);
    const runAfter = (work: () => void) => time.after(minutes * MINUTE_MS, work);
    switch (kind) {
      case 'outages':
        faults.unreachablePorts.add(port);
        runAfter(() => faults.unreachablePorts.delete(port));
        break;
      case 'full disk':
        host.hasDiskSpace = false;
        faults.isDiskFull = true;
        runAfter(() => {
          host.hasDiskSpace = true;
          faults.isDiskFull = false;
        });
        break;
      case 'blindness':
        faults.isBlind = true;
        runAfter(() => {
          faults.isBlind = false;
        });
        break;
      case 'clock jumps':
        time.jump((minutes - MAX_CLOCK_JUMP_MINUTES) * MINUTE_MS);
        break;
      case 'freezes': {
        const daemonProcess = daemon()?.process;
        daemonProcess?.freeze();
        runAfter(() => daemonProcess?.resume());
        time.after(giveUpMinutes * MINUTE_MS, () => daemonProcess?.giveUp());
        break;
      }
      case 'daemon kills':
        daemon()?.process.kill();
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

const SECOND_MS = 1_000;
const SUCCESSION_UNIT_MS = 60 * SECOND_MS;

/**
 * Starts a daemon whenever none is running, like a service manager, after a short or long delay.
 * Also starts one while another is frozen. `onPresent` receives the daemon that responds at the
 * legion's address from now on.
 */
export async function superviseDaemons(
  world: SimWorld,
  onPresent: (daemon: SimDaemon | undefined) => void,
): Promise<never> {
  const { time, random, rules } = world;
  let newest: DaemonProcess | undefined;
  for (;;) {
    const daemonProcess = new DaemonProcess(() => {
      rules.record('the daemon is killed');
      // A daemon that was presumed dead already has a successor. The successor keeps running and
      // responding.
      if (newest === daemonProcess) onPresent(undefined);
    });
    newest = daemonProcess;
    rules.record('a daemon starts');
    startSimDaemon(world, daemonProcess).then(
      (daemon) => {
        if (daemonProcess.isAlive && newest === daemonProcess) onPresent(daemon);
      },
      (error: unknown) => {
        rules.record(`the daemon could not start: ${String(error)}`);
        daemonProcess.kill();
      },
    );
    await daemonProcess.needsSuccessor;
    if (daemonProcess.isAlive) rules.countFault('a successor beside a frozen daemon');
    else await time.sleep(drawPause());
  }

  function drawPause(): number {
    return random.chance(0.1)
      ? random.between(1, 60) * SUCCESSION_UNIT_MS
      : random.between(1, 60) * SECOND_MS;
  }
}

const MIN_PUSH_INTERVAL_MS = 2 * MINUTE_MS;

const MAX_PUSH_INTERVAL_MS = 8 * MINUTE_MS;

/** Number of files in the repository that no issue changes. */
const OTHER_FILE_COUNT = 20;

/**
 * Simulates outside people who push to the base every few minutes, forever, and sometimes change
 * files that issues work on. Draws random numbers even for disabled faults, so that everything
 * else happens unchanged.
 */
export async function moveBase(world: SimWorld, omitted: ReadonlySet<FaultKind>): Promise<never> {
  const { time, random, faults, rules, code, board } = world;
  for (;;) {
    await time.sleep(random.between(MIN_PUSH_INTERVAL_MS, MAX_PUSH_INTERVAL_MS));
    const issueFiles = [SHARED_FILE, ...[...board.cards.keys()].map(toIssueFile)] as const;
    const [ours, theirs] = [random.pick(issueFiles), `others/${random.between(1, OTHER_FILE_COUNT)}.ts`];
    const file = faults.drawFault('overlapping', 'base overlaps') ? ours : theirs;
    if (omitted.has('moving base')) continue;
    code.land(code.commit(code.base, [file]));
    rules.countFault('base moved');
    rules.record(`a person changes ${file} on the base`);
  }
}

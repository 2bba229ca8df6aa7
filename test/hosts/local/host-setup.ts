/**
 * Local host for the conformance suite: its own directory and real processes, both removed
 * afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LocalHostOptions, openLocalHost } from '../../../src/hosts/local/local-host.ts';
import type { Host, NewProcess } from '../../../src/ports/host.ts';
import { CANARY, type HostHarness, type OtherDaemon } from '../../ports/host/conformance/host-under-test.ts';

const DAEMON = fileURLToPath(new URL('daemon.ts', import.meta.url));

/** A killed process is gone within milliseconds, and its runner a moment later. */
const GONE_WITHIN_MS = 10_000;

export interface LocalHarness extends HostHarness {
  /** The state directory. */
  readonly state: string;
  open(options?: Partial<LocalHostOptions>): Promise<Host>;
  /** Starts a daemon that may be killed at any moment, even before it has started a worker. */
  hastyDaemon(orders: readonly NewProcess[]): ChildProcess;
}

export async function localHarness(): Promise<LocalHarness> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'legion-host-')));
  const state = join(root, 'state');
  const workspace = join(root, 'work space');
  mkdirSync(workspace);
  const daemons: ChildProcess[] = [];

  const open = (options: Partial<LocalHostOptions> = {}) =>
    openLocalHost({
      folder: state,
      legion: 'owner/12',
      environment: { ...process.env, [CANARY.name]: CANARY.value },
      ...options,
    });

  function hastyDaemon(orders: readonly NewProcess[]): ChildProcess {
    const child = spawn(process.execPath, [DAEMON, state, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [CANARY.name]: CANARY.value, NODE_COMPILE_CACHE: join(root, 'compiled') },
    });
    daemons.push(child);
    return child;
  }

  async function daemon(orders: readonly NewProcess[]): Promise<OtherDaemon> {
    const child = hastyDaemon(orders);
    const over = once(child, 'exit');
    const { promise: started, resolve, reject } = Promise.withResolvers<void>();
    if (child.stdout !== null) {
      createInterface(child.stdout).on('line', (line) => {
        if (line === 'started') resolve();
      });
    }
    child.once('exit', () => reject(new Error('the daemon ended before it had started everything')));
    return {
      started,
      async kill() {
        child.kill('SIGKILL');
        await over;
      },
    };
  }

  return {
    state,
    workspace,
    open,
    daemon,
    hastyDaemon,
    async dispose() {
      for (const child of daemons) child.kill('SIGKILL');
      const host = await open();
      const until = performance.now() + GONE_WITHIN_MS;
      // A runner has the directory on its command line, and a worker has the attempt in its marker.
      // Waits until no process of either kind is running.
      for (let left = await leftOf(host, root); left.length > 0; left = await leftOf(host, root)) {
        if (performance.now() > until) throw new Error(`left behind: ${left.join(', ')}`);
        await sleep(10);
      }
      rmSync(root, { recursive: true });
    },
  };
}

async function leftOf(host: Host, root: string): Promise<string[]> {
  const found = await host.adopt();
  for (const process of found) await host.signal(process, 'KILL');
  return [...found.map(({ pid, worker }) => `${worker} (${pid})`), ...processesNaming(root)];
}

/** Lists the processes whose command line contains `root`, and never signals them. */
function processesNaming(root: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
        return command.includes(root) ? [`${pid}: ${command.slice(0, 200)}`] : [];
      } catch {
        return []; // it exited during the listing
      }
    });
}

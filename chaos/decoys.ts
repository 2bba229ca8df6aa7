/**
 * Starts processes that look like the legion's but do not belong to it. If Legion chose the
 * processes to kill by their name, directory or worker, it would kill one of the decoys.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readProcessStat } from './processes.ts';

/**
 * Code that the decoy runs instead of the program in its command line. It only waits, and exits
 * when the harness is gone.
 */
const IDLE = `data:text/javascript,
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(), 1000);
  await new Promise(() => {});`;

export interface DecoyProcesses {
  readonly pids: ReadonlySet<number>;
  /** Describes the decoys that received a signal. */
  harmed(): readonly string[];
  end(): Promise<void>;
}

/**
 * Starts decoys with the exact command lines of a daemon, a worker and a runner. One worker decoy
 * also has the worker's whole environment.
 */
export function startDecoys(
  launcher: readonly [string, string],
  state: string,
  environment: Readonly<Record<string, string>>,
): DecoyProcesses {
  const [program, script] = launcher;
  const idle = { ...environment, NODE_OPTIONS: `--import=${encodeURI(IDLE)}` };
  const session = ['--session', '00000000-0000-5000-8000-000000000000', '--home', `${state}/scripted`];
  const worker = [script, 'scripted', ...session];
  const facts = { LEGION_STATE: state, LEGION_WORKER: 'bench-1-plan', LEGION_ATTEMPT: '1' };
  const folder = `${state}/host/attempts/bench-1-plan/1`;
  // Waits in a loop, because a shell may replace itself with its last command, and the decoy would
  // then lose its command line.
  const wait = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done`;
  const children = [
    spawnDecoy(program, [script, 'up', '--foreground'], idle),
    spawnDecoy(program, worker, idle),
    spawnDecoy(program, worker, { ...idle, ...facts }),
    spawnDecoy('/bin/sh', ['-c', wait, 'legion-runner', folder, 'marker', ...worker], environment),
  ];
  return {
    pids: new Set(children.map(({ pid = 0 }) => pid)),
    harmed: () => children.flatMap(describeHarm),
    async end() {
      await Promise.all(children.map(killDecoy));
    },
  };
}

function spawnDecoy(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  // Starts the decoy in its own session, like the process it imitates. Otherwise, Ctrl-C at the
  // harness would look like a signal from Legion.
  return spawn(program, args, { env: { ...env }, detached: true, stdio: 'ignore' });
}

function describeHarm({ pid = 0, exitCode, signalCode, spawnargs }: ChildProcess): string[] {
  const what = spawnargs.slice(-1)[0] ?? '';
  if (signalCode !== null) return [`process ${pid} (… ${what}) was killed by ${signalCode}`];
  if (exitCode !== null) return [`process ${pid} (… ${what}) exited with ${exitCode}`];
  return readProcessStat(pid)?.state === 'T' ? [`process ${pid} (… ${what}) was stopped`] : [];
}

async function killDecoy(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}

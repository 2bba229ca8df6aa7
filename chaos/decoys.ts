/** Processes that look like those of the legion and are not: whoever signals by name, folder or worker ends one of these. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statOf } from './processes.ts';

/** Never comes to what its command line says; ends by itself when the harness is gone. */
const IDLE = `data:text/javascript,
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(), 1000);
  await new Promise(() => {});`;

export interface Decoys {
  readonly pids: ReadonlySet<number>;
  /** What became of those that somebody signalled, in words. */
  harmed(): readonly string[];
  end(): Promise<void>;
}

/** Word for word the command lines of a daemon, a worker and a runner; one worker also has the whole environment. */
export function startDecoys(
  launcher: readonly [string, string],
  state: string,
  environment: Readonly<Record<string, string>>,
): Decoys {
  const [program, script] = launcher;
  const idle = { ...environment, NODE_OPTIONS: `--import=${encodeURI(IDLE)}` };
  const session = ['--session', '00000000-0000-5000-8000-000000000000', '--home', `${state}/scripted`];
  const worker = [script, 'scripted', ...session];
  const facts = { LEGION_STATE: state, LEGION_WORKER: 'bench-1-plan', LEGION_ATTEMPT: '1' };
  const folder = `${state}/host/attempts/bench-1-plan/1`;
  // Loops over what is built in, because a shell that starts its last command becomes it.
  const wait = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done`;
  const children = [
    start(program, [script, 'up', '--foreground'], idle),
    start(program, worker, idle),
    start(program, worker, { ...idle, ...facts }),
    start('/bin/sh', ['-c', wait, 'legion-runner', folder, 'marker', ...worker], environment),
  ];
  return {
    pids: new Set(children.map(({ pid = 0 }) => pid)),
    harmed: () => children.flatMap(harm),
    async end() {
      await Promise.all(children.map(ended));
    },
  };
}

function start(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  // A session of its own, like what it looks like: Ctrl-C at the harness is no signal of Legion.
  return spawn(program, args, { env: { ...env }, detached: true, stdio: 'ignore' });
}

function harm({ pid = 0, exitCode, signalCode, spawnargs }: ChildProcess): string[] {
  const what = spawnargs.slice(-1)[0] ?? '';
  if (signalCode !== null) return [`process ${pid} (… ${what}) was ended by ${signalCode}`];
  if (exitCode !== null) return [`process ${pid} (… ${what}) ended with ${exitCode}`];
  return statOf(pid)?.state === 'T' ? [`process ${pid} (… ${what}) was stopped`] : [];
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}

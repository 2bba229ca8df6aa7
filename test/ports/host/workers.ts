/**
 * Small workers for tests: real programs that do one thing each. Also helpers that wait for them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Host,
  NewProcess,
  OutputStream,
  ProcessExit,
  ProcessIdentity,
} from '../../../src/ports/host.ts';

/** Runs longer than any test. The test ends it. */
const FOREVER = 'exec sleep 1000';

export const SCRIPTS = {
  forever: FOREVER,
  /** Writes a line to a shared file, so that tests can count starts, then keeps running. */
  countedForever: `echo ran >>"$1"; ${FOREVER}`,
  ignoresTerm: 'trap "" TERM; echo ready; while :; do sleep 0.05; done',
  /**
   * Prints a line, waits for the file in the first argument, then prints another line and exits
   * with 7.
   */
  untilFile: 'echo before; while [ ! -e "$1" ]; do sleep 0.02; done; echo after; exit 7',
  /** Starts a grandchild that leaves the process group and session and outlives its parent. */
  escaping:
    'setsid sh -c "echo \\$\\$ >\\"$1\\"; exec sleep 1000" & while [ ! -s "$1" ]; do sleep 0.01; done; echo gone; exit 0',
} as const;

export function order(
  workspace: string,
  script: string,
  given: Partial<NewProcess> & { readonly arguments?: readonly string[] } = {},
): NewProcess {
  const { arguments: rest = [], ...others } = given;
  return {
    worker: 'a-1-implement',
    attempt: 1,
    argv: ['/bin/sh', '-c', script, 'worker', ...rest],
    cwd: workspace,
    env: {},
    stdin: '',
    ...others,
  };
}

/** Time limit that is long enough for a two-core machine that is running four test processes. */
const PATIENCE_MS = 15_000;

/** Polls until `look` returns a value. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${what}: timed out after ${PATIENCE_MS} ms`);
    await sleep(10);
  }
}

export async function exitOf(host: Host, process: ProcessIdentity): Promise<ProcessExit> {
  return eventually('an exit', async () => {
    const { exit } = await host.observe(process);
    if (exit === 'none') return undefined;
    if ('unavailable' in exit) throw new Error(exit.unavailable);
    return exit;
  });
}

export async function isGone(host: Host, process: ProcessIdentity): Promise<void> {
  await eventually('its end', async () => ((await host.observe(process)).alive === false ? true : undefined));
}

export async function readAll(
  host: Host,
  { worker, attempt }: Pick<NewProcess, 'worker' | 'attempt'>,
  offset = 0,
  stream: OutputStream = 'out',
): Promise<string> {
  let text = '';
  for await (const chunk of host.output(worker, attempt, offset, stream)) text += chunk.text;
  return text;
}

/** Waits until a worker has written `text`. */
export async function says(host: Host, process: NewProcess, text: string): Promise<void> {
  await eventually(`"${text}"`, async () =>
    (await readAll(host, process)).includes(text) ? true : undefined,
  );
}

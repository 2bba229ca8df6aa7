/** One turn as one process of the agent: its prompt goes in on standard input, its lines come out, and it ends, one way or another. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../domain/fault.ts';
import { Lines } from '../protocol/lines.ts';

/** From each step of the ladder to the next: asked like a person at a terminal would, then told, then killed. 0, 8, 13 s. */
const LADDER: Ladder = [
  ['SIGINT', 8_000],
  ['SIGTERM', 5_000],
  ['SIGKILL', 5_000],
];

type Ladder = readonly (readonly [signal: NodeJS.Signals, patienceMs: number])[];

/** A grandchild may hold the output open for ever after the agent has ended; what it wrote itself is there by then. */
const DRAIN_MS = 1_000;

/** Characters of the standard error that are kept: the end says what went wrong. */
const ERRORS_KEPT = 8_192;

export interface TurnProcess {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export interface TurnExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote on standard error. */
  readonly errors: string;
  readonly isInterrupted: boolean;
}

/** `hear` gets each line; one that was too long to hold comes as undefined. Rejects with `agent.not_ready`, or `agent.stuck`. */
export async function takeTurn(
  { argv, cwd, env, stdin }: TurnProcess,
  hear: (line: string | undefined) => void,
  interrupt: AbortSignal,
  ladder: Ladder = LADDER,
): Promise<TurnExit> {
  const [program, ...args] = argv;
  // In this process group: whoever stops the group stops the agent and its tools with it.
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  await started(child, program);
  // An agent that ends before it has read everything breaks the pipe, and its exit says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  // Whoever hears may fail, such as on a full disk: then the agent is ended, too, and not left to work unheard.
  const broken = new AbortController();
  const lines = new Lines();
  const take = (text: string) => {
    try {
      for (const line of lines.take(text)) if (!broken.signal.aborted) hear(line);
    } catch (error) {
      broken.abort(error);
    }
  };
  child.stdout.setEncoding('utf8').on('data', take);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERRORS_KEPT);
  });
  const closed = once(child, 'close');
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const { code, signal } = await endOf(child, ended, AbortSignal.any([interrupt, broken.signal]), ladder);
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  take('\n');
  broken.signal.throwIfAborted();
  return { code, signal, errors, isInterrupted: interrupt.aborted };
}

type Exit = Pick<TurnExit, 'code' | 'signal'>;

async function started(child: ChildProcess, program: string): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${program} could not be started: ${why}`, { cause: error });
  }
}

async function endOf(
  child: ChildProcess,
  ended: Promise<Exit>,
  interrupt: AbortSignal,
  ladder: Ladder,
): Promise<Exit> {
  const exit = await Promise.race([ended, asked(interrupt)]);
  if (exit !== undefined) return exit;
  for (const [signal, patience] of ladder) {
    child.kill(signal);
    const gone = await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
    if (gone !== undefined) return gone;
  }
  throw new LegionError('agent.stuck', `process ${child.pid} is still there after SIGKILL`);
}

async function asked(interrupt: AbortSignal): Promise<undefined> {
  if (!interrupt.aborted) await once(interrupt, 'abort');
  return undefined;
}

/** Runs one turn of an agent as one process: the prompt is its standard input, its output is heard line by line. */
import { LegionError } from '../core/model/fault.ts';
import { type RunResult, run, type SignalLadder } from '../lib/process/run.ts';
import { Lines } from '../protocol/line-splitter.ts';

/** SIGINT is what a person at a terminal would send. Signals after 0, 8 and 13 s. */
const LADDER: SignalLadder = [
  ['SIGINT', 8_000],
  ['SIGTERM', 5_000],
  ['SIGKILL', 5_000],
];

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
  readonly signal: string | null;
  /** The end of what it wrote on standard error. */
  readonly errors: string;
  readonly isInterrupted: boolean;
}

/** `hear` gets each line; one that was too long to hold comes as undefined. Rejects with `agent.not_ready`, or `agent.stuck`. */
export async function takeTurn(
  process: TurnProcess,
  hear: (line: string | undefined) => void,
  interrupt: AbortSignal,
  ladder: SignalLadder = LADDER,
): Promise<TurnExit> {
  if (interrupt.aborted) return { code: null, signal: null, errors: '', isInterrupted: true };
  // Hearing may fail, as on a full disk: then the agent is ended instead of working unheard.
  const broken = new AbortController();
  const lines = new Lines();
  const take = (text: string) => {
    try {
      for (const line of lines.take(text)) if (!broken.signal.aborted) hear(line);
    } catch (error) {
      broken.abort(error);
    }
  };
  const signal = AbortSignal.any([interrupt, broken.signal]);
  const { status, stderr } = await runTurn(process, take, signal, ladder);
  if (status === 'stuck')
    throw new LegionError('agent.stuck', `${process.argv[0]} is still there after SIGKILL`);
  take('\n');
  broken.signal.throwIfAborted();
  return {
    code: typeof status === 'number' ? status : null,
    signal: typeof status === 'string' ? status : null,
    errors: stderr.slice(-ERRORS_KEPT),
    isInterrupted: interrupt.aborted,
  };
}

/** Without a group of its own: whoever stops the worker's group stops the agent and its tools with it. */
async function runTurn(
  { argv, cwd, env, stdin }: TurnProcess,
  onStdout: (text: string) => void,
  signal: AbortSignal,
  ladder: SignalLadder,
): Promise<RunResult> {
  const [program, ...args] = argv;
  const timeoutMs = Number.POSITIVE_INFINITY; // the daemon supervises how long a turn takes
  try {
    return await run(program, args, { cwd, env, input: stdin, timeoutMs, signal, onStdout, ladder });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${program} could not be started: ${why}`, { cause: error });
  }
}

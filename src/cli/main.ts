/** The `legion` command: reads the command line, calls one command, returns its exit code. */
import { type FaultCode, LegionError } from '../domain/fault.ts';
import type { CommandContext } from './command.ts';
import { keepCompiled } from './compile-cache.ts';
import { isAbort, listenForSignals } from './interruption.ts';
import { printError } from './present/error.ts';
import { optionsIn, runCommand } from './program/run-command.ts';

/** Documented in docs/cli.md: 0 done, 1 the command failed, 2 the command line was not understood. */
const EXIT = { failed: 1, usage: 2 } as const;

const NOT_UNDERSTOOD: ReadonlySet<FaultCode> = new Set(['usage.invalid', 'mode.unknown']);

export async function main(argv: readonly string[]): Promise<number> {
  keepCompiled(process.env);
  const interruption = listenForSignals();
  // A reader that went away, as in `legion logs X | head`, is an end and no defect.
  process.stdout.on('error', interruption.outputClosed);
  const context: CommandContext = {
    env: { ...process.env },
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interruption.signal,
  };
  try {
    return await runCommand(argv, context);
  } catch (error) {
    if (isAbort(error, interruption.signal)) return interruption.exitCode() ?? EXIT.failed;
    printError(error, optionsIn(argv).includes('--json'));
    return error instanceof LegionError && NOT_UNDERSTOOD.has(error.code) ? EXIT.usage : EXIT.failed;
  } finally {
    interruption.forget();
  }
}

/** The `legion` command: runs one command line and returns its exit code. */
import type { CommandContext } from './command.ts';
import { isAbort, listenForSignals } from './interruption.ts';
import { isJsonWanted, runCommand } from './program/run-command.ts';

/** Documented in docs/cli.md: 0 done, 1 the command failed, 2 the command line is wrong. */
const EXIT_FAILED = 1;

export async function main(argv: readonly string[]): Promise<number> {
  const interruption = listenForSignals();
  // A reader that goes away, as in `legion logs X | head`, ends the command and is no defect.
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
    if (isAbort(error, interruption.signal)) return interruption.exitCode() ?? EXIT_FAILED;
    const { reportError } = await import('./present/error.ts');
    return reportError(error, isJsonWanted(argv), context);
  } finally {
    interruption.forget();
  }
}

/**
 * The `legion` command: runs one command line and returns its exit code. Imports that `--version`
 * does not need are loaded later, because agents call `legion` often.
 */

import { AS_WORKER_FLAG } from '../core/model/environment.ts';
import { readVersion } from './installation.ts';
import { isAbort, listenForSignals } from './interruption.ts';
import type { CommandContext } from './program/define-command.ts';

/** Documented in docs/cli.md: 0 done, 1 the command failed, 2 the command line is wrong. */
const EXIT_FAILED = 1;

const HELP_ARGUMENTS: readonly string[] = ['help', '--help', '-h'];

export async function main(argv: readonly string[]): Promise<number> {
  const interruption = listenForSignals();
  // If the reader closes the pipe, as in `legion logs X | head`, the command ends. This is not an
  // error.
  process.stdout.on('error', interruption.onOutputClosed);
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

/** Runs a command line in a given context. Resolves to the exit code. */
export async function runCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const isWorkersOwn = argv[0] === AS_WORKER_FLAG;
  const [first = 'help', ...rest] = isWorkersOwn ? argv.slice(1) : argv;
  if (first === '--version' || first === '-v') {
    context.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const { ROOT } = await import('./program/command-table.ts');
  const { dispatchCommand } = await import('./program/dispatch.ts');
  const { chooseCommands } = await import('./program/worker-role.ts');
  const wantsHelp = HELP_ARGUMENTS.includes(first);
  const { root, words, isWorker } = chooseCommands(
    ROOT,
    wantsHelp ? rest : [first, ...rest],
    isWorkersOwn,
    context.env,
  );
  // `complete` is not in the command table, because it reads that table. It queries the daemon as
  // the operator, so it is not available to workers.
  if (first === 'complete' && !isWorker) {
    await (await import('./completion/print-candidates.ts')).printCandidates(root, rest, context);
    return 0;
  }
  return dispatchCommand(root, { words, wantsHelp }, context);
}

/** Ignores `--json` after `--`, because everything after `--` is text. */
export function isJsonWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** Runs a command line. What `--version` does not need is imported later, because agents call `legion` often. */
import { AS_WORKER } from '../../protocol/as-worker.ts';
import type { CommandContext } from '../command.ts';
import { version } from '../version.ts';

const HELP_WORDS: readonly string[] = ['help', '--help', '-h'];

/** Resolves to the exit code. */
export async function runCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const isWorkersOwn = argv[0] === AS_WORKER;
  const [first = 'help', ...rest] = isWorkersOwn ? argv.slice(1) : argv;
  if (first === '--version' || first === '-v') {
    context.stdout.write(`${version()}\n`);
    return 0;
  }
  const { dispatch } = await import('./dispatch.ts');
  const { chooseCommands } = await import('./worker-role.ts');
  const wantsHelp = HELP_WORDS.includes(first);
  const { root, words, isWorker } = chooseCommands(
    wantsHelp ? rest : [first, ...rest],
    isWorkersOwn,
    context.env,
  );
  // Not a command of the table, because it reads the table. Completion asks the daemon as the operator.
  if (first === 'complete' && !isWorker) {
    await (await import('../completion/print-candidates.ts')).printCandidates(root, rest, context);
    return 0;
  }
  return dispatch(root, { words, wantsHelp }, context);
}

/** What stands behind `--` is text, whatever it looks like. */
export function isJsonWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

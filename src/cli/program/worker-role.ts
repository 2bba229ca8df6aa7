/** Which commands `legion` offers: inside a worker only the worker's own, with a hint for each of the others. */

import { LegionError } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import type { CommandGroup } from '../command.ts';
import { COMMANDS, ROOT } from './command-table.ts';

/** Legion itself starts the last three inside a worker. */
export const WORKER_COMMANDS: readonly string[] = [
  'worker',
  'handoff',
  'mcp',
  'version',
  'stop-hook',
  'drive',
  'scripted',
];

interface ChosenCommands {
  readonly root: CommandGroup;
  readonly words: readonly string[];
  readonly isWorker: boolean;
}

/** `isWorkersOwn`: it is the `legion` on a worker's PATH, whatever its environment says. */
export function chooseCommands(
  words: readonly string[],
  isWorkersOwn: boolean,
  env: Environment,
): ChosenCommands {
  if (!isWorkersOwn && !isWorkerEnvironment(env)) return { root: ROOT, words, isWorker: false };
  const [name = '', ...args] = words;
  if (Object.hasOwn(COMMANDS, name) && !WORKER_COMMANDS.includes(name)) refuseOperatorCommand(name, args);
  const members = Object.entries(COMMANDS).filter(([each]) => WORKER_COMMANDS.includes(each));
  return {
    root: { ...ROOT, members: Object.fromEntries(members) },
    // A worker reads and writes handoffs of its own issue, with its own token.
    words: name === 'handoff' ? ['worker', ...words] : words,
    isWorker: true,
  };
}

/** Also true for the operator's `legion` when a worker calls it by its path: it gets the same hints. */
function isWorkerEnvironment({ LEGION_WORKER, LEGION_WORKER_TOKEN }: Environment): boolean {
  return Boolean(LEGION_WORKER) || Boolean(LEGION_WORKER_TOKEN);
}

/** `args` follow the name; the first of them may be a subcommand. */
function refuseOperatorCommand(name: string, args: readonly string[]): never {
  const both = `${name} ${args[0] ?? ''}`;
  const verb = VERB_INSTEAD[both] ?? VERB_INSTEAD[name];
  const instead =
    verb === undefined
      ? '`legion worker --help` lists what a worker can do'
      : `use \`legion worker ${verb}\` instead`;
  const said = Object.hasOwn(VERB_INSTEAD, both) ? both : name;
  throw new LegionError('worker.operator_command', `\`legion ${said}\` is for operators; ${instead}.`);
}

/** By command, or by command and subcommand. */
export const VERB_INSTEAD: Readonly<Record<string, string>> = {
  issue: 'issue',
  'issue comment': 'comment',
  'issue add': 'split',
  status: 'status',
  watch: 'status',
  explain: 'issue',
  gates: 'issue',
  diff: 'issue',
  ci: 'ci',
  inbox: 'ask',
  answer: 'ask',
  approve: 'ask',
  pause: 'ask',
  resume: 'ask',
  advance: 'done',
  prompt: 'message',
  rollback: 'error',
  'pr merge': 'merge',
};

/** Limits the commands that are available inside a worker to those meant for workers. */
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { CommandGroup } from './define-command.ts';

/** Commands available inside a worker. The last three are started by Legion itself. */
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

/**
 * Selects the commands that `legion` offers. Inside a worker, these are only the worker commands,
 * and calling any other command throws an error with a hint. `isWorkersOwn` is true for the
 * `legion` on a worker's PATH, even if the worker's environment variables are missing.
 */
export function chooseCommands(
  root: CommandGroup,
  words: readonly string[],
  isWorkersOwn: boolean,
  env: EnvironmentVariables,
): ChosenCommands {
  if (!isWorkersOwn && !isWorkerEnvironment(env)) return { root, words, isWorker: false };
  const [name = '', ...args] = words;
  if (Object.hasOwn(root.members, name) && !WORKER_COMMANDS.includes(name)) refuseOperatorCommand(name, args);
  const members = Object.entries(root.members).filter(([each]) => WORKER_COMMANDS.includes(each));
  return {
    root: { ...root, members: Object.fromEntries(members) },
    // Inside a worker, `handoff` becomes `worker handoff`, which uses the worker's own token and
    // reads and writes only the handoffs of its own issue.
    words: name === 'handoff' ? ['worker', ...words] : words,
    isWorker: true,
  };
}

/**
 * Detects a worker by its environment variables. This covers a worker that calls the operator's
 * `legion` by its path, so that it gets the same hints.
 */
function isWorkerEnvironment({ LEGION_WORKER, LEGION_WORKER_TOKEN }: EnvironmentVariables): boolean {
  return Boolean(LEGION_WORKER) || Boolean(LEGION_WORKER_TOKEN);
}

/** `args` are the words after the command's name. The first of them may be a subcommand. */
function refuseOperatorCommand(name: string, args: readonly string[]): never {
  const both = `${name} ${args[0] ?? ''}`;
  const verb = VERB_INSTEAD[both] ?? VERB_INSTEAD[name];
  const advice =
    verb === undefined
      ? '`legion worker --help` lists what a worker can do'
      : `use \`legion worker ${verb}\` instead`;
  const command = Object.hasOwn(VERB_INSTEAD, both) ? both : name;
  throw new LegionError('worker.operator_command', `\`legion ${command}\` is for operators; ${advice}.`);
}

/**
 * Worker verbs to suggest instead of an operator command. The key is a command, or a command with
 * its subcommand.
 */
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
  reject: 'ask',
  pause: 'ask',
  resume: 'ask',
  advance: 'done',
  prompt: 'message',
  rollback: 'error',
  'pr merge': 'merge',
};

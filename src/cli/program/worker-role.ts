/** What `legion` offers inside a worker: the worker's own commands, and for every other one the verb to use instead. */
import { LegionError } from '../../domain/fault.ts';
import type { Environment } from '../command.ts';

/** The last three are started by Legion itself inside a worker. */
export const WORKER_COMMANDS: readonly string[] = [
  'worker',
  'handoff',
  'mcp',
  'stop-hook',
  'drive',
  'scripted',
];

/** Also for the operator's own `legion`, called by its path: a worker that does so by mistake is told, too. */
export function isWorkerEnvironment({ LEGION_WORKER, LEGION_WORKER_TOKEN }: Environment): boolean {
  return Boolean(LEGION_WORKER) || Boolean(LEGION_WORKER_TOKEN);
}

/** `args` follow the name; the first of them may be a subcommand. */
export function refuseOperatorCommand(name: string, args: readonly string[]): never {
  const [first = ''] = args;
  const both = `${name} ${first}`;
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

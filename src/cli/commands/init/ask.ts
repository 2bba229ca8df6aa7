/** Asks a person what `legion init` must know; every question has an answer that only needs Enter. */
import { readGiven } from '../../../config/legion/given.ts';
import { type Choice, cancelled, chosen, confirmed, typed } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { fields } from '../../present/page.ts';
import { commandText } from '../../repository-commands.ts';
import type { Backend } from '../setup/init/board-options.ts';
import { type Answers, answersFrom } from './answers.ts';
import type { FoundRepository } from './repository.ts';

const SPECIFICATION: readonly Choice<'required' | 'auto'>[] = [
  { value: 'required', label: 'I approve each specification' },
  { value: 'auto', label: 'they pass by themselves' },
];

const MERGE: readonly Choice<'required' | 'auto'>[] = [
  { value: 'required', label: 'I approve each merge' },
  {
    value: 'auto',
    label: 'small safe changes merge by themselves, I approve the others',
    hint: 'writes merge.auto_merge_allowed to .legion/config.yml, too',
  },
];

const BACKENDS: readonly Choice<Backend>[] = [
  { value: 'local', label: 'on this machine', hint: 'needs no account' },
  { value: 'github', label: 'in a project of GitHub' },
  { value: 'linear', label: 'in a team of Linear' },
];

export async function askBackend(context: CommandContext): Promise<Backend> {
  return chosen(context, 'Where the issues live', BACKENDS, 'local');
}

export async function askEverything(repository: FoundRepository, context: CommandContext): Promise<Answers> {
  const usual = answersFrom(NOTHING_GIVEN, repository);
  const legion = await typed(context, 'Name of the legion', usual.legion, complaintAbout('legion'));
  const work = await askWork(usual, context);
  const commands = await wantsCommands(repository, context);
  return { ...usual, ...work, legion, commands };
}

/** How many work at once, and what a person approves. */
export async function askWork(
  usual: Answers,
  context: CommandContext,
): Promise<Pick<Answers, 'workers' | 'approvals'>> {
  const workers = await typed(
    context,
    'Workers at once',
    String(usual.workers),
    complaintAbout('limits.workers'),
  );
  const architect = await chosen(
    context,
    'What the architect writes',
    SPECIFICATION,
    usual.approvals.architect,
  );
  const merge = await chosen(context, 'Merging', MERGE, usual.approvals.merge);
  return { workers: Number(workers), approvals: { architect, merge } };
}

const NOTHING_GIVEN = {
  legion: undefined,
  agent: undefined,
  workers: undefined,
  approvalsArchitect: undefined,
  approvalsMerge: undefined,
  base: undefined,
  port: undefined,
  commands: false,
};

async function wantsCommands({ commands }: FoundRepository, context: CommandContext): Promise<boolean> {
  const found = Object.entries(commands);
  if (found.length === 0) return false;
  context.stdout.write(fields(found.map(([name, argv]) => [`  ${name}`, commandText(argv)])));
  const answer = await confirmed(context, 'Write these commands to .legion/config.yml?', true);
  if (answer === undefined) throw cancelled();
  return answer;
}

/** The words of the configuration itself, so that what is accepted here is accepted there. */
function complaintAbout(key: string): (text: string) => string | undefined {
  return (text) => {
    const read = readGiven([{ key, name: key, text }], 'usage.invalid');
    return read.ok ? undefined : read.problems[0]?.says;
  };
}

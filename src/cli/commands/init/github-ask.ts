/** What a person is asked about a board on GitHub: which one it is, and whether its columns may be made. */
import { LegionError } from '../../../core/model/fault.ts';
import type { Status } from '../../../core/model/status.ts';
import type { Github } from '../../../github/open.ts';
import { type Choice, chosen, typed } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { openProjects } from '../../github/board.ts';
import { type ProjectName, projectNameFrom, readProjectName } from '../../github/project-name.ts';
import { agreed } from './board-ask.ts';

const ANOTHER = 'another';

export async function askProject(
  client: Github,
  owner: string,
  context: CommandContext,
): Promise<ProjectName> {
  const open = await openProjects(client, owner, context.signal);
  const choices: readonly Choice<string>[] = [
    ...open.map(({ name, title }) => ({ value: name, label: name, hint: title })),
    { value: ANOTHER, label: 'another one', hint: 'by its owner and number, or its address' },
  ];
  const answer =
    open.length === 0
      ? ANOTHER
      : await chosen(context, 'Which project has the issues', choices, open[0]?.name ?? ANOTHER);
  if (answer !== ANOTHER) return projectNameFrom('the project', answer);
  const wrong = 'OWNER/NUMBER, such as acme/3, or the address of the project';
  const text = await typed(context, 'Project', `${owner}/1`, (given) =>
    readProjectName(given) === undefined ? wrong : undefined,
  );
  return projectNameFrom('the project', text);
}

/** For whoever cannot be asked. */
export async function refuseWithoutProject(
  client: Github,
  owner: string,
  signal: AbortSignal,
): Promise<never> {
  const open = await openProjects(client, owner, signal);
  const known =
    open.length === 0
      ? `${owner} has no open project that the account may see`
      : `open ones of ${owner} are ${open.map(({ name, title }) => `${name} (${title})`).join(', ')}`;
  throw new LegionError('usage.invalid', `--project OWNER/NUMBER is needed; ${known}`);
}

/** `placed`: items that would lose their column, and be put back. */
export async function askMakeColumns(
  missing: readonly Status[],
  placed: number,
  context: CommandContext,
): Promise<boolean> {
  const what = `Make the columns ${missing.join(', ')}`;
  if (placed === 0) return agreed(`${what}?`, context);
  const answer = await chosen(
    context,
    what,
    [
      { value: 'hand', label: 'I add them in the project’s settings', hint: 'nothing else changes there' },
      {
        value: 'rewrite',
        label: `Legion writes all options anew and puts ${placed} items back`,
        hint: 'a minute for every thousand; workflows of the project must be looked at afterwards',
      },
    ],
    'hand',
  );
  return answer === 'rewrite';
}

/** `legion approve`: says yes to what an issue waits for, or to the commands of a repository. */
import { LegionError } from '../../domain/fault.ts';
import { saidAnswer } from '../../protocol/operator.ts';
import { confirmed, isInteractive } from '../ask-person.ts';
import { route } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { safeText } from '../present/safe.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../program/daemon-command.ts';
import { approveShown, commandsPage, unapprovedCommands } from '../repository-commands.ts';

export const approve = daemonCommand(
  {
    name: 'approve',
    says: [
      'Approves what ISSUE waits to have approved: the architect’s specification, or its merge.',
      'With --commands the place of ISSUE is that of a repository; its commands and prompts are approved as they are shown.',
    ].join('\n'),
    takes: { issue: 'optional' },
    options: {
      commands: { says: 'the commands and prompts of a repository; of all repositories without a name' },
      yes: { says: 'do not ask again at a terminal' },
    },
  },
  async ({ issue, options }, session) => {
    if (options.commands) return approveCommands(issue, options.yes, session);
    if (issue === undefined)
      throw new LegionError('usage.invalid', 'approve needs ISSUE, or --commands [REPO]');
    const path = route`/issues/${parseIssueId(issue)}/approve`;
    const said = await session.daemon.request('POST', path, saidAnswer, { body: { by: session.by } });
    return { data: said, text: safeText(said.says) };
  },
);

async function approveCommands(
  repo: string | undefined,
  sure: boolean,
  session: CommandSession,
): Promise<CommandResult> {
  const { daemon, by, context } = session;
  const pending = await unapprovedCommands(daemon, repo);
  if (pending.length === 0)
    return { data: { approved: [] }, text: 'No command or prompt waits for approval.' };
  if (!sure && isInteractive(context)) {
    context.stdout.write(`${commandsPage(pending)}\n`);
    if ((await confirmed(context, 'Approve these?', false)) !== true) {
      return { data: { approved: [] }, text: 'Nothing was approved.', exit: 1 };
    }
  }
  const said = await approveShown(daemon, by, pending);
  return {
    data: {
      approved: pending.map(({ repo: name, fingerprint, commands, prompts }) => ({
        repo: name,
        fingerprint,
        commands,
        prompts,
      })),
    },
    text: `${commandsPage(pending)}\n${said.map(safeText).join('\n')}`,
  };
}

/** `legion approve`: approves what an issue waits for, or the commands of a repository. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { confirmed, isInteractive } from '../../ask-person.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeText } from '../../present/safe.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { examples } from '../../program/options.ts';
import { approveShown, commandsPage, unapprovedCommands } from '../../repository-commands.ts';

export const approve = daemonCommand(
  () =>
    new Command()
      .description(
        'Approve what an issue waits for: its specification or its merge. With --commands, approve the commands and prompts of a repository exactly as they are shown.',
      )
      .argument('[ISSUE|REPO]', 'Id of the issue; with --commands, name of the repository (default: all)')
      .option('--commands', 'Approve the commands and prompts of a repository')
      .option('--yes', 'Do not ask for confirmation')
      .addHelpText('after', examples('legion approve SHOP-1', 'legion approve --commands')),
  async ({ positionals: [name], options }, session) => {
    if (options.commands === true) return approveCommands(name, options.yes === true, session);
    if (name === undefined)
      throw new LegionError('usage.invalid', 'legion approve needs an ISSUE, or --commands [REPO].');
    const said = await session.daemon.call(issueActionEndpoints.approve, {
      params: { id: parseIssueId(name) },
      body: { by: session.by },
    });
    return { data: said, text: safeText(said.says) };
  },
);

async function approveCommands(
  repo: string | undefined,
  isSure: boolean,
  session: CommandSession,
): Promise<CommandResult> {
  const { daemon, by, context } = session;
  const pending = await unapprovedCommands(daemon, repo);
  if (pending.length === 0)
    return { data: { approved: [] }, text: 'No command or prompt waits for approval.' };
  if (!isSure && isInteractive(context)) {
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

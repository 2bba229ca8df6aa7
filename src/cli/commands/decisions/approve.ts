/** `legion approve`: approves an issue's specification or merge, or a repository's commands. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { askConfirmation, isInteractive } from '../../ask-person.ts';
import { parseIssueId } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { renderExamples } from '../../program/define-command.ts';
import { approveShown, listUnapprovedCommands, renderCommandsPage } from '../../repository-at.ts';

export const approve = daemonCommand(
  () =>
    new Command()
      .description(
        'Show what an issue is waiting for (its specification, or its change with the merge conditions) and approve it. With --commands, approve the commands and prompts of a repository exactly as shown.',
      )
      .argument('[ISSUE|REPO]', 'Id of the issue; with --commands, name of the repository (default: all)')
      .option('--commands', 'Approve the commands and prompts of a repository')
      .option('--yes', 'Do not ask for confirmation')
      .addHelpText('after', renderExamples('legion approve SHOP-1', 'legion approve --commands')),
  async ({ positionals: [name], options }, session) => {
    if (options.commands === true) return approveCommands(name, options.yes === true, session);
    if (name === undefined)
      throw new LegionError('usage.invalid', 'legion approve needs an ISSUE, or --commands [REPO].');
    return approveIssue(parseIssueId(name), options.yes === true, session);
  },
);

/** Approves exactly what was shown. In a terminal, asks first. */
async function approveIssue(
  id: string,
  skipsConfirmation: boolean,
  { daemon, by, context }: CommandSession,
): Promise<CommandResult> {
  const params = { id };
  const asks = !skipsConfirmation && isInteractive(context);
  const shown = asks ? (await daemon.call(issueActionEndpoints.explain, { params })).approval : undefined;
  if (shown !== undefined) {
    context.stdout.write(`${sanitizeText(shown.text)}\n\n`);
    if ((await askConfirmation(context, `Approve the ${shown.subject} of ${id}?`, false)) !== true)
      return {
        data: { says: 'Nothing was approved.', approval: shown },
        text: `Nothing was approved. To send it back: legion reject ${id} "…"`,
        exit: 1,
      };
  }
  const body = { by, through: 'cli', version: shown?.version } as const;
  const result = await daemon.call(issueActionEndpoints.approve, { params, body });
  const text = shown === undefined ? `${result.approval.text}\n\n${result.says}` : result.says;
  return { data: result, text: sanitizeText(text) };
}

async function approveCommands(
  repo: string | undefined,
  skipsConfirmation: boolean,
  session: CommandSession,
): Promise<CommandResult> {
  const { daemon, by, context } = session;
  const pending = await listUnapprovedCommands(daemon, repo);
  if (pending.length === 0)
    return { data: { approved: [] }, text: 'No commands or prompts are waiting for approval.' };
  if (!skipsConfirmation && isInteractive(context)) {
    context.stdout.write(`${renderCommandsPage(pending)}\n`);
    if ((await askConfirmation(context, 'Approve these?', false)) !== true) {
      return { data: { approved: [] }, text: 'Nothing was approved.', exit: 1 };
    }
  }
  const messages = await approveShown(daemon, by, pending);
  return {
    data: {
      approved: pending.map(({ repo: name, fingerprint, commands, prompts }) => ({
        repo: name,
        fingerprint,
        commands,
        prompts,
      })),
    },
    text: `${renderCommandsPage(pending)}\n${messages.map(sanitizeText).join('\n')}`,
  };
}

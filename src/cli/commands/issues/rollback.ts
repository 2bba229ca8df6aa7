/** `legion rollback`: opens a pull request that reverts a merge. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

export const rollback = daemonCommand(
  () =>
    new Command()
      .description(
        'Open a pull request that reverts the merge of an issue, and reopen the issue. The base branch keeps the change until that pull request is merged.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .addHelpText('after', renderExamples('legion rollback SHOP-1')),
  async ({ positionals: [issue] }, { daemon, by }) => {
    const answer = await daemon.call(issueActionEndpoints.rollback, {
      params: { id: parseIssueId(issue) },
      body: { by },
    });
    return { data: answer, text: sanitizeText(answer.says) };
  },
);

/** `legion reject`: sends a specification, a plan or a merge back with a reason. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

export const reject = daemonCommand(
  () =>
    new Command()
      .description(
        'Reject the specification, the plan or the merge of an issue. The worker that produced it continues with your reason.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<REASON...>', 'What has to change, and why')
      .addHelpText('after', renderExamples('legion reject SHOP-1 "Keep the old endpoint"')),
  async ({ positionals: [issue, reason] }, { daemon, by }) => {
    const result = await daemon.call(issueActionEndpoints.reject, {
      params: { id: parseIssueId(issue) },
      body: { by, through: 'cli', why: reason.join(' ') },
    });
    return { data: result, text: sanitizeText(result.says) };
  },
);

/** `legion pause` and `legion resume`: hold and release one issue or the whole legion. */
import { Command } from '@commander-js/extra-typings';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { renderExamples } from '../../program/define-command.ts';

const ISSUE_OR_ALL = 'Id of the issue (default: the whole legion)';

export const pause = daemonCommand(
  () =>
    new Command()
      .description(
        'Hold an issue or the whole legion, so that no new workers start. Running workers continue.',
      )
      .argument('[ISSUE]', ISSUE_OR_ALL)
      .option('--why <TEXT>', 'Reason to record in the journal')
      .addHelpText(
        'after',
        renderExamples('legion pause SHOP-1 --why "Wait for the design"', 'legion pause'),
      ),
  async ({ positionals: [issue], options: { why } }, { daemon, by }) => {
    const body = { by, why };
    const answer =
      issue === undefined
        ? await daemon.call(adminEndpoints.pause, { body })
        : await daemon.call(issueActionEndpoints.pause, { params: { id: parseIssueId(issue) }, body });
    return { data: answer, text: sanitizeText(answer.says) };
  },
);

export const resume = daemonCommand(
  () =>
    new Command()
      .description(
        'Release an issue held by `pause` or `stop`. Without an issue, release the whole legion from `pause` or `halt`.',
      )
      .argument('[ISSUE]', ISSUE_OR_ALL)
      .addHelpText('after', renderExamples('legion resume SHOP-1', 'legion resume')),
  async ({ positionals: [issue] }, { daemon, by }) => {
    const body = { by };
    const answer =
      issue === undefined
        ? await daemon.call(adminEndpoints.resume, { body })
        : await daemon.call(issueActionEndpoints.resume, { params: { id: parseIssueId(issue) }, body });
    return { data: answer, text: sanitizeText(answer.says) };
  },
);

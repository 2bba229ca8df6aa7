/** `legion pause` and `legion resume`: hold one issue or the whole legion, and release it again. */
import { Command } from '@commander-js/extra-typings';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples } from '../../program/options.ts';

const ISSUE_OR_ALL = 'Id of the issue (default: the whole legion)';

export const pause = daemonCommand(
  () =>
    new Command()
      .description('Hold an issue, or the whole legion: no worker starts. Running workers continue.')
      .argument('[ISSUE]', ISSUE_OR_ALL)
      .option('--why <TEXT>', 'The reason, for the journal')
      .addHelpText('after', examples('legion pause SHOP-1 --why "Wait for the design"', 'legion pause')),
  async ({ positionals: [issue], options: { why } }, { daemon, by }) => {
    const body = { by, why };
    const said =
      issue === undefined
        ? await daemon.call(adminEndpoints.pause, { body })
        : await daemon.call(issueActionEndpoints.pause, { params: { id: parseIssueId(issue) }, body });
    return { data: said, text: safeText(said.says) };
  },
);

export const resume = daemonCommand(
  () =>
    new Command()
      .description(
        'Release an issue that `pause` or `stop` holds; without an issue, release the whole legion from `pause` or `halt`.',
      )
      .argument('[ISSUE]', ISSUE_OR_ALL)
      .addHelpText('after', examples('legion resume SHOP-1', 'legion resume')),
  async ({ positionals: [issue] }, { daemon, by }) => {
    const body = { by };
    const said =
      issue === undefined
        ? await daemon.call(adminEndpoints.resume, { body })
        : await daemon.call(issueActionEndpoints.resume, { params: { id: parseIssueId(issue) }, body });
    return { data: said, text: safeText(said.says) };
  },
);

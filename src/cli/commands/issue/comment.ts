/** `legion issue comment`: says something on an issue. */
import { Command } from '@commander-js/extra-typings';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';

export const comment = daemonCommand(
  () =>
    new Command()
      .description('Comment on an issue. Its workers read the comment there.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The comment')
      .addHelpText('after', examples('legion issue comment SHOP-1 "Use the new API"')),
  async ({ positionals: [issue, text] }, { daemon, by }) => {
    const body = { text: text.join(' '), author: by };
    const said = await daemon.call(issueEndpoints.comment, { params: { id: parseIssueId(issue) }, body });
    return { data: said, text: safeText(said.says) };
  },
);

/** `legion answer`: answers a worker's question. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP, parseWholeNumber } from '../../program/options.ts';

export const answer = daemonCommand(
  () =>
    new Command()
      .description('Answer a worker’s question. The output says whether the worker continues.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The answer')
      .option(
        '--question <N>',
        'Number of the question (default: the latest open one)',
        parseWholeNumber('--question', 1),
      )
      .addHelpText(
        'after',
        examples('legion answer SHOP-1 "Use UTC"', 'legion answer SHOP-1 --question 2 "Yes"'),
      ),
  async ({ positionals: [issue, text], options: { question } }, { daemon, by }) => {
    const body = { text: text.join(' '), by, question };
    const said = await daemon.call(issueActionEndpoints.answer, {
      params: { id: parseIssueId(issue) },
      body,
    });
    return { data: said, text: safeText(said.says) };
  },
);

/** `legion answer`: answers a worker's question. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, parseWholeNumber, renderExamples } from '../../program/define-command.ts';

export const answer = daemonCommand(
  () =>
    new Command()
      .description('Answer a worker’s question. The output shows whether the worker continues.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The answer')
      .option(
        '--question <N>',
        'Number of the question (default: the latest open one)',
        parseWholeNumber('--question', 1),
      )
      .addHelpText(
        'after',
        renderExamples('legion answer SHOP-1 "Use UTC"', 'legion answer SHOP-1 --question 2 "Yes"'),
      ),
  async ({ positionals: [issue, text], options: { question } }, { daemon, by }) => {
    const body = { text: text.join(' '), by, question };
    const result = await daemon.call(issueActionEndpoints.answer, {
      params: { id: parseIssueId(issue) },
      body,
    });
    return { data: result, text: sanitizeText(result.says) };
  },
);

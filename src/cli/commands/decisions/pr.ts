/** `legion pr merge`: merges a pull request of the local forge. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { type CommandGroup, renderExamples } from '../../program/define-command.ts';

const merge = daemonCommand(
  () =>
    new Command()
      .description(
        'Merge a pull request of the local forge, for example a revert opened by `legion rollback`. The pull request of an issue must pass its gates (see `legion gates ISSUE`); a revert needs green CI.',
      )
      .argument('<NUMBER>', 'Number of the pull request')
      .option('--force', 'Merge a revert even if its CI is not green; the journal records who forced it')
      .option('--repo <NAME>', 'Repository, if several have a pull request with this number')
      .addHelpText('after', renderExamples('legion pr merge 7')),
  async ({ positionals: [number], options: { force = false, repo } }, { daemon, by }) => {
    const answer = await daemon.call(issueActionEndpoints.mergePullRequest, {
      params: { number: String(parseNumber(number)) },
      body: { by, force, repo },
    });
    return { data: answer, text: sanitizeText(answer.says) };
  },
);

export const pr: CommandGroup = {
  description: 'Manage pull requests of the local forge. On GitHub, use the page of the pull request.',
  members: {
    merge: { summary: 'Merge a pull request', load: async () => merge },
  },
};

/** Accepts `7` and `#7`. */
function parseNumber(text: string): number {
  const [, digits] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
  const number = Number(digits);
  if (number > 0) return number;
  throw new LegionError(
    'usage.invalid',
    `Unknown pull request ${quoteText(text)}. Valid: a number, such as 7.`,
  );
}

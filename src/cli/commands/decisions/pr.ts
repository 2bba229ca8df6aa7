/** `legion pr merge`: merges a pull request of the local forge. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import type { CommandGroup } from '../../command.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples } from '../../program/options.ts';

const merge = daemonCommand(
  () =>
    new Command()
      .description(
        'Merge a pull request of the local forge, for example the revert that `legion rollback` opened. The pull request of an issue must pass its gates (`legion gates ISSUE`); a revert needs green CI.',
      )
      .argument('<NUMBER>', 'Number of the pull request')
      .option('--force', 'Merge a revert although its CI is not green; the journal records who did')
      .option('--repo <NAME>', 'The repository, if several have a pull request of this number')
      .addHelpText('after', examples('legion pr merge 7')),
  async ({ positionals: [number], options: { force = false, repo } }, { daemon, by }) => {
    const answer = await daemon.call(issueActionEndpoints.mergePullRequest, {
      params: { number: String(parseNumber(number)) },
      body: { by, force, repo },
    });
    return { data: answer, text: safeText(answer.says) };
  },
);

export const pr: CommandGroup = {
  description: 'Manage pull requests of the local forge. On GitHub, use the page of the pull request.',
  members: {
    merge: { summary: 'Merge a pull request', load: async () => merge },
  },
};

/** People write `7` and `#7`. */
function parseNumber(text: string): number {
  const [, digits] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
  const number = Number(digits);
  if (number > 0) return number;
  throw new LegionError(
    'usage.invalid',
    `Unknown pull request ${shown(text)}. Valid: its number, such as 7.`,
  );
}

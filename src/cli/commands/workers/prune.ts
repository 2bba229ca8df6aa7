/** `legion prune`: deletes the records of finished issues. */
import { Command } from '@commander-js/extra-typings';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { parseIssueId } from '../../parse-names.ts';
import { renderBullets, renderHeading, renderSection } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

export const prune = daemonCommand(
  () =>
    new Command()
      .description(
        'Delete the records of finished issues: handoffs, counters, and the reports of their workers. The journal keeps the history, and a merge can still be rolled back. An issue whose workspace still exists is kept.',
      )
      .argument('[ISSUE...]', `${ISSUE_HELP} (default: every finished issue)`)
      .addHelpText('after', renderExamples('legion prune', 'legion prune SHOP-1 SHOP-2')),
  async ({ positionals: [issues] }, { daemon }) => {
    const issueIds = issues.length === 0 ? undefined : issues.map(parseIssueId);
    const answer = await daemon.call(workerEndpoints.prune, { body: { issueIds } });
    const kept = answer.kept.map(({ issue, why }) => `${issue}: ${why}`);
    const text = [
      renderHeading(`${answer.pruned.length} pruned, ${kept.length} kept`),
      renderSection('Pruned', renderBullets(answer.pruned)),
      renderSection('Kept', renderBullets(kept)),
    ].join('');
    return { data: answer, text };
  },
);

/** `legion gates`: shows the conditions for merging an issue. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import type { GatesView } from '../../../protocol/operator.ts';
import { parseIssueId } from '../../parse-names.ts';
import { renderHeading, renderSection } from '../../present/page.ts';
import { sanitizeLine } from '../../present/terminal.ts';
import { renderChecklist } from '../../present/words.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

const VERDICT_LABELS = {
  pass: 'ready to merge',
  fail: 'not ready to merge',
  unknown: 'not known yet',
} as const;

export const gates = daemonCommand(
  () =>
    new Command()
      .description(
        'Show each condition for merging an issue, with its evidence and the commit it was checked at. After the merge, show the conditions as they were at that time.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .addHelpText('after', renderExamples('legion gates SHOP-1')),
  async ({ positionals: [issue] }, { daemon }) => {
    const view = await daemon.call(issueActionEndpoints.gates, { params: { id: parseIssueId(issue) } });
    return { data: view, text: renderGatesPage(view) };
  },
);

function renderGatesPage(view: GatesView): string {
  const { preMerge, autoMerge } = view;
  const title = autoMerge.allowed ? 'Auto-merge' : 'Auto-merge (the repository does not allow it)';
  return [
    renderHeading(describeGates(view)),
    renderSection('Merge', renderChecklist(preMerge)),
    renderSection(title, renderChecklist(autoMerge.conditions)),
  ].join('');
}

function describeGates({ issue, headSha, verdict, merged }: GatesView): string {
  const at = headSha === null ? 'no pull request' : `at ${headSha.slice(0, 10)}`;
  if (merged === undefined) return `${issue}: ${VERDICT_LABELS[verdict]} (${at})`;
  const { pullRequest, mergedSha, by } = merged;
  const merge = `pull request ${pullRequest} was merged as ${mergedSha.slice(0, 10)}`;
  return by === undefined
    ? `${issue}: ${merge}; its conditions were not recorded`
    : `${issue}: ${merge} by ${sanitizeLine(by)}; conditions as they were then (${at})`;
}

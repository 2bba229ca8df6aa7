/** `legion gates`: what stands between an issue and its merge. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import type { GatesView } from '../../../protocol/operator.ts';
import { parseIssueId } from '../../parse-names.ts';
import { checklist } from '../../present/gates.ts';
import { heading, section } from '../../present/page.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';

const SAYS = {
  pass: 'ready to merge',
  fail: 'not ready to merge',
  unknown: 'not known yet',
} as const;

export const gates = daemonCommand(
  () =>
    new Command()
      .description(
        'Show each condition of a merge with its evidence and the commit it was checked at. After the merge, show the conditions as they were then.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .addHelpText('after', examples('legion gates SHOP-1')),
  async ({ positionals: [issue] }, { daemon }) => {
    const view = await daemon.call(issueActionEndpoints.gates, { params: { id: parseIssueId(issue) } });
    return { data: view, text: page(view) };
  },
);

function page(view: GatesView): string {
  const { preMerge, autoMerge } = view;
  const title = autoMerge.allowed ? 'Auto-merge' : 'Auto-merge (the repository does not allow it)';
  return [
    heading(headline(view)),
    section('Merge', checklist(preMerge)),
    section(title, checklist(autoMerge.conditions)),
  ].join('');
}

function headline({ issue, headSha, verdict, merged }: GatesView): string {
  const at = headSha === null ? 'no pull request' : `at ${headSha.slice(0, 10)}`;
  if (merged === undefined) return `${issue}: ${SAYS[verdict]} (${at})`;
  const { pullRequest, mergedSha, by } = merged;
  const what = `pull request ${pullRequest} was merged as ${mergedSha.slice(0, 10)}`;
  return by === undefined
    ? `${issue}: ${what}; its conditions were not recorded`
    : `${issue}: ${what} by ${safeLine(by)}; conditions as they were then (${at})`;
}

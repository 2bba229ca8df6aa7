/** `legion explain`: why an issue is, or is not, moving. */
import { Command } from '@commander-js/extra-typings';
import { issueActionEndpoints } from '../../protocol/endpoints/issue-actions.ts';
import type { Explanation, GatesView } from '../../protocol/operator.ts';
import type { DaemonClient } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { explanationPage } from '../present/explanation.ts';
import { daemonCommand } from '../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../program/options.ts';

/** Where a merge is so near that its conditions belong to the answer. */
const NEAR_MERGE: readonly string[] = ['Needs Review', 'Retro'];

export const explain = daemonCommand(
  () =>
    new Command()
      .description(
        'Explain why an issue is or is not moving: what is due, why, since when, and what ends the wait. After a failure it shows the end of the agent’s output.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--details', 'Show the evidence of each decision and verdict as well')
      .addHelpText('after', examples('legion explain SHOP-1', 'legion explain SHOP-1 --details')),
  async ({ positionals: [issue], options }, { daemon }) => {
    const id = parseIssueId(issue);
    const explanation = await daemon.call(issueActionEndpoints.explain, { params: { id } });
    const gates = await gatesWhereRelevant(daemon, explanation);
    return {
      data: { ...explanation, gates },
      text: explanationPage(explanation, gates, { now: Date.now(), details: options.details === true }),
    };
  },
);

async function gatesWhereRelevant(
  daemon: DaemonClient,
  { state }: Explanation,
): Promise<GatesView | undefined> {
  if (!NEAR_MERGE.includes(state.status) || state.hasPr !== true) return undefined;
  return daemon.call(issueActionEndpoints.gates, { params: { id: state.id } });
}

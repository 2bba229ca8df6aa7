/** `legion explain`: why an issue is, or is not, moving. */
import { type Explanation, explanationSchema, type GatesView, gatesSchema } from '../../protocol/operator.ts';
import { type DaemonClient, route } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { explanationPage } from '../present/explanation.ts';
import { daemonCommand } from '../program/daemon-command.ts';

/** Where a merge is so near that its conditions belong to the answer. */
const NEAR_MERGE: readonly string[] = ['Needs Review', 'Retro'];

export const explain = daemonCommand(
  {
    name: 'explain',
    says: 'Says why an issue is, or is not, moving: what is due, why, since when, and what ends it.',
    takes: { issue: 'one' },
    options: { details: { says: 'also the evidence: what was decided and judged on which facts' } },
  },
  async ({ issue, options }, { daemon }) => {
    const id = parseIssueId(issue);
    const explanation = await daemon.request('GET', route`/issues/${id}/explain`, explanationSchema);
    const gates = await gatesWhereRelevant(daemon, explanation);
    return {
      data: { ...explanation, ...(gates !== undefined && { gates }) },
      text: explanationPage(explanation, gates, { now: Date.now(), details: options.details }),
    };
  },
);

async function gatesWhereRelevant(
  daemon: DaemonClient,
  { state }: Explanation,
): Promise<GatesView | undefined> {
  if (!NEAR_MERGE.includes(state.status) || state.hasPr !== true) return undefined;
  return daemon.request('GET', route`/issues/${state.id}/gates`, gatesSchema);
}

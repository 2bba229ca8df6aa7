/** `legion gates`: what stands between an issue and its merge. */
import { type GatesView, gatesSchema } from '../../protocol/operator.ts';
import { asking } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { issueNamed } from '../named.ts';
import { checklist } from '../present/gates.ts';
import { heading, section } from '../present/page.ts';

const SAYS = {
  pass: 'nothing stands against a merge',
  fail: 'not ready to merge',
  unknown: 'not known yet',
} as const;

export const gates = asking(
  {
    name: 'gates',
    says: 'Shows each condition of a merge with its evidence, at the commit it was checked at.',
    takes: { issue: 'one' },
  },
  async ({ issue }, { daemon }) => {
    const view = await daemon.request('GET', route`/issues/${issueNamed(issue)}/gates`, gatesSchema);
    return { data: view, text: page(view) };
  },
);

function page({ issue, headSha, preMerge, autoMerge, verdict }: GatesView): string {
  const at = headSha === null ? 'no pull request' : `at ${headSha.slice(0, 10)}`;
  const title = autoMerge.allowed ? 'Auto-merge' : 'Auto-merge (the repository does not allow it)';
  return [
    heading(`${issue}: ${SAYS[verdict]} (${at})`),
    section('Merge', checklist(preMerge)),
    section(title, checklist(autoMerge.conditions)),
  ].join('');
}

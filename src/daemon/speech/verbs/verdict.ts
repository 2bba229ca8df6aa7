/** `verdict`: whether the tests pass, as a proof bound to the pull request's head. */
import { isDeepStrictEqual } from 'node:util';
import { workerId } from '../../../core/model/ids.ts';
import type { Evidence } from '../../../domain/evidence.ts';
import { listed, short } from '../../reports/work-handed-in.ts';
import type { World } from '../../world.ts';
import { appendAs } from '../fence.ts';
import { neededOpenPullRequest, notReady } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const verdict: Saying<'verdict'> = async (world, who, { result, suites, detail }) => {
  const { issue, mode } = who;
  const { headSha: sha } = await neededOpenPullRequest(world, issue);
  await refuseOtherContent(world, issue, sha);
  const evidence: Evidence = {
    kind: 'test',
    sha,
    verdict: result === 'pass' ? 'passed' : 'failed',
    by: workerId(issue, mode),
    suites,
    detail,
  };
  await appendAs(world, who, ({ record }) =>
    isDeepStrictEqual(record.evidence.test, evidence)
      ? []
      : [
          {
            type: 'evidence.recorded',
            issue,
            revision: record.lastEvidence + 1,
            ...evidence,
            suites: [...suites],
          },
        ],
  );
  world.wake(issue);
  return { sha, says: `The tests ${evidence.verdict} at ${short(sha)}. Report with \`legion worker done\`.` };
};

/** What was tried must be what the proof is bound to. */
async function refuseOtherContent({ workspaces }: World, issue: string, head: string): Promise<void> {
  const standing = await workspaces.standing(issue);
  if (standing === undefined) throw notReady(`there is no workspace for ${issue}`);
  if (standing.head !== head) {
    throw notReady(`the workspace stands at ${short(standing.head)}, the pull request at ${short(head)}`);
  }
  if (standing.uncommitted.length > 0) {
    throw notReady(
      `the workspace has uncommitted changes, so it is not what you give a verdict on: ${listed(standing.uncommitted)}`,
    );
  }
}

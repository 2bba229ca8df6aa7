/** What each issue that is not Done waits for, in the daemon's own words. */
import type { Chronicle } from '../../../demo/chronicle.ts';
import type { NumberedStory } from '../../../demo/stories.ts';
import { LegionError } from '../../../domain/fault.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import type { DaemonClient } from '../../daemon-client.ts';

export async function whatIsMissing(
  daemon: DaemonClient,
  chronicle: Chronicle,
  stories: readonly NumberedStory[],
): Promise<readonly string[]> {
  const unfinished = stories.filter(({ id }) => chronicle.of(id).status !== 'Done');
  if (unfinished.length === 0) return ['all issues are Done, but a worker has not ended'];
  return Promise.all(unfinished.map(({ id }) => waitsFor(daemon, id)));
}

async function waitsFor(daemon: DaemonClient, issue: string): Promise<string> {
  try {
    const { state } = await daemon.call(issueActionEndpoints.explain, { params: { id: issue } });
    return `${issue} is in ${state.status}: ${state.says} It goes on when ${state.until.what}.`;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return `${issue} cannot be explained: ${error.message} [${error.code}]`;
  }
}

/** `legion rollback`: undoes a merge by a pull request of its own. */
import { rollbackAnswer } from '../../protocol/merging.ts';
import { asking } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { issueNamed } from '../named.ts';
import { safeText } from '../present/safe.ts';

export const rollback = asking(
  {
    name: 'rollback',
    says: 'Opens a pull request that undoes the merge of an issue, and opens the issue again.',
    takes: { issue: 'one' },
  },
  async ({ issue }, { daemon, by }) => {
    const path = route`/issues/${issueNamed(issue)}/rollback`;
    const answer = await daemon.request('POST', path, rollbackAnswer, { body: { by } });
    return { data: answer, text: `#${answer.pullRequest} on ${answer.branch}. ${safeText(answer.says)}` };
  },
);

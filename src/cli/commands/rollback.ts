/** `legion rollback`: opens the pull request that reverts a merge. */
import { rollbackAnswer } from '../../protocol/merging.ts';
import { asking } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { issueNamed } from '../named.ts';
import { safeText } from '../present/safe.ts';

export const rollback = asking(
  {
    name: 'rollback',
    says: 'Opens a pull request that reverts the merge of an issue, and reopens the issue; the base keeps the change until that pull request is merged.',
    takes: { issue: 'one' },
  },
  async ({ issue }, { daemon, by }) => {
    const path = route`/issues/${issueNamed(issue)}/rollback`;
    const answer = await daemon.request('POST', path, rollbackAnswer, { body: { by } });
    return { data: answer, text: safeText(answer.says) };
  },
);

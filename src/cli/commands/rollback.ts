/** `legion rollback`: opens the pull request that reverts a merge. */
import { rollbackAnswer } from '../../protocol/merging.ts';
import { route } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const rollback = daemonCommand(
  {
    name: 'rollback',
    says: 'Opens a pull request that reverts the merge of an issue, and reopens the issue; the base keeps the change until that pull request is merged.',
    takes: { issue: 'one' },
  },
  async ({ issue }, { daemon, by }) => {
    const path = route`/issues/${parseIssueId(issue)}/rollback`;
    const answer = await daemon.request('POST', path, rollbackAnswer, { body: { by } });
    return { data: answer, text: safeText(answer.says) };
  },
);

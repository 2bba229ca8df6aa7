/** `legion issue close`: takes an issue off the pipeline. */
import { issueSchema } from '../../../protocol/board.ts';
import { route } from '../../daemon-client.ts';
import { parseIssueId } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const close = daemonCommand(
  { name: 'issue close', says: 'Closes an issue, done or not.', takes: { issue: 'one' } },
  async ({ issue }, { daemon }) => {
    const closed = await daemon.request('DELETE', route`/issues/${parseIssueId(issue)}`, issueSchema);
    return { data: closed, text: `${closed.id} is closed (column ${safeLine(closed.column)})` };
  },
);

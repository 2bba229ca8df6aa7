/** `legion issue move`: puts an issue into another column. */
import { issueSchema } from '../../../protocol/board.ts';
import { route } from '../../daemon-client.ts';
import { parseIssueId, parseStatus } from '../../parse-names.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const move = daemonCommand(
  {
    name: 'issue move',
    says: 'Puts an issue into another column. The pipeline goes on from there.',
    takes: { issue: 'one', status: 'many' },
  },
  async ({ issue, status }, { daemon }) => {
    const body = { status: parseStatus(status.join(' ')) };
    const moved = await daemon.request('POST', route`/issues/${parseIssueId(issue)}/move`, issueSchema, {
      body,
    });
    return { data: moved, text: `${moved.id} is in ${moved.status}` };
  },
);

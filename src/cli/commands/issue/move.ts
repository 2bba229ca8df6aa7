/** `legion issue move`: puts an issue into another column. */
import { issueSchema } from '../../../protocol/board.ts';
import { asking } from '../../asking.ts';
import { route } from '../../daemon-client.ts';
import { issueNamed, statusNamed } from '../../named.ts';

export const move = asking(
  {
    name: 'issue move',
    says: 'Puts an issue into another column. The pipeline goes on from there.',
    takes: { issue: 'one', status: 'many' },
  },
  async ({ issue, status }, { daemon }) => {
    const body = { status: statusNamed(status.join(' ')) };
    const moved = await daemon.request('POST', route`/issues/${issueNamed(issue)}/move`, issueSchema, {
      body,
    });
    return { data: moved, text: `${moved.id} is in ${moved.status}` };
  },
);

/** `legion issue close`: takes an issue off the pipeline. */
import { issueSchema } from '../../../protocol/board.ts';
import { asking } from '../../asking.ts';
import { route } from '../../daemon-client.ts';
import { issueNamed } from '../../named.ts';
import { safeLine } from '../../present/safe.ts';

export const close = asking(
  { name: 'issue close', says: 'Closes an issue, done or not.', takes: { issue: 'one' } },
  async ({ issue }, { daemon }) => {
    const closed = await daemon.request('DELETE', route`/issues/${issueNamed(issue)}`, issueSchema);
    return { data: closed, text: `${closed.id} is closed (column ${safeLine(closed.column)})` };
  },
);

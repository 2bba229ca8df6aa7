/** `legion issue edit`: another title, text, priority or blocker. */
import { LegionError } from '../../../domain/fault.ts';
import { issueSchema } from '../../../protocol/board.ts';
import { asking } from '../../asking.ts';
import { route } from '../../daemon-client.ts';
import { issueNamed, priorityNamed } from '../../named.ts';
import { safeLine } from '../../present/safe.ts';
import { BODY_OPTIONS, bodyGiven } from '../../read-text.ts';

export const edit = asking(
  {
    name: 'issue edit',
    says: 'Changes what is given and leaves the rest as it is.',
    takes: { issue: 'one' },
    options: {
      title: { value: 'TITLE', says: 'its title' },
      ...BODY_OPTIONS,
      priority: { value: 'PRIORITY', says: 'urgent, high, medium, low or none; also 1 to 4 and 0' },
      'blocked-by': { value: 'ISSUE', many: true, says: 'an issue that must be done first' },
      'not-blocked-by': { value: 'ISSUE', many: true, says: 'one it need not wait for any more' },
    },
  },
  async ({ issue, options }, { daemon, context }) => {
    const id = issueNamed(issue);
    const { title, priority } = options;
    const body = await bodyGiven(options, context);
    const change = {
      ...(title !== undefined && { title }),
      ...(body !== undefined && { body }),
      ...(priority !== undefined && { priority: priorityNamed(priority) }),
    };
    const blockers = {
      add: options['blocked-by'].map(issueNamed),
      remove: options['not-blocked-by'].map(issueNamed),
    };
    const hasChange = Object.keys(change).length > 0;
    const hasBlockers = blockers.add.length + blockers.remove.length > 0;
    if (!hasChange && !hasBlockers)
      throw new LegionError('usage.invalid', 'issue edit needs something to change');

    // Blockers first: a circle is refused, and then nothing else has been changed either.
    const blocked = hasBlockers
      ? await daemon.request('POST', route`/issues/${id}/blockers`, issueSchema, { body: blockers })
      : undefined;
    const edited = hasChange
      ? await daemon.request('PATCH', route`/issues/${id}`, issueSchema, { body: change })
      : blocked;
    return { data: edited, text: `${id} is changed: ${safeLine(edited?.title ?? '')}` };
  },
);

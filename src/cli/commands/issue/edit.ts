/** `legion issue edit`: another title, text, priority or blocker. */
import { LegionError } from '../../../domain/fault.ts';
import { issueSchema } from '../../../protocol/board.ts';
import { route } from '../../daemon-client.ts';
import { parseIssueId, parsePriority } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { BODY_OPTIONS, bodyGiven } from '../../read-text.ts';

export const edit = daemonCommand(
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
    const id = parseIssueId(issue);
    const { title, priority } = options;
    const body = await bodyGiven(options, context);
    const blockers = {
      add: options['blocked-by'].map(parseIssueId),
      remove: options['not-blocked-by'].map(parseIssueId),
    };
    const change = {
      ...(title !== undefined && { title }),
      ...(body !== undefined && { body }),
      ...(priority !== undefined && { priority: parsePriority(priority) }),
      ...(blockers.add.length + blockers.remove.length > 0 && { blockers }),
    };
    if (Object.keys(change).length === 0)
      throw new LegionError('usage.invalid', 'issue edit needs something to change');
    const edited = await daemon.request('PATCH', route`/issues/${id}`, issueSchema, { body: change });
    return { data: edited, text: `${id} is changed: ${safeLine(edited.title)}` };
  },
);

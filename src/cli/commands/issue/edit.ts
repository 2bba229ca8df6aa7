/** `legion issue edit`: another title, text, priority or blocker. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { PRIORITY_HELP, parseIssueId, parsePriority } from '../../parse-names.ts';
import { safeLine } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { collectValues, examples, ISSUE_HELP } from '../../program/options.ts';
import { addBodyOptions, readBody } from '../../read-text.ts';

export const edit = daemonCommand(
  () =>
    addBodyOptions(
      new Command()
        .description('Change an issue. What you do not give stays as it is.')
        .argument('<ISSUE>', ISSUE_HELP)
        .option('--title <TITLE>', 'New title'),
    )
      .option('--priority <PRIORITY>', PRIORITY_HELP)
      .option('--blocked-by <ISSUE>', 'An issue that must be done first; repeatable', collectValues, [])
      .option(
        '--not-blocked-by <ISSUE>',
        'An issue that it no longer waits for; repeatable',
        collectValues,
        [],
      )
      .addHelpText('after', examples('legion issue edit SHOP-1 --title "Greet by name"')),
  async ({ positionals: [issue], options }, { daemon, context }) => {
    const id = parseIssueId(issue);
    const { title, priority } = options;
    const add = options.blockedBy.map(parseIssueId);
    const remove = options.notBlockedBy.map(parseIssueId);
    const change = {
      title,
      priority: priority === undefined ? undefined : parsePriority(priority),
      blockers: add.length + remove.length > 0 ? { add, remove } : undefined,
      body: await readBody(options, context),
    };
    if (Object.values(change).every((value) => value === undefined))
      throw new LegionError(
        'usage.invalid',
        'legion issue edit needs something to change: --title, --body, --body-file, --priority, --blocked-by or --not-blocked-by',
      );
    const edited = await daemon.call(issueEndpoints.edit, { params: { id }, body: change });
    return { data: edited, text: `${id} is changed: ${safeLine(edited.title)}` };
  },
);

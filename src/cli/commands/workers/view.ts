/** `legion view`: what a worker does, as it happens, in any terminal. */
import { Command } from '@commander-js/extra-typings';
import { daemonClient } from '../../daemon-client.ts';
import { findRunningPlace } from '../../legion-location.ts';
import { parseIssueId } from '../../parse-names.ts';
import { pickWorker } from '../../pick-worker.ts';
import { defineCommand } from '../../program/define-command.ts';
import { addPlaceOptions, examples, ISSUE_HELP, MODE_HELP, parseWholeNumber } from '../../program/options.ts';
import { showWorker } from '../view/show.ts';

export const view = defineCommand(
  () =>
    addPlaceOptions(
      new Command()
        .description(
          'Show what the worker of an issue does, live, from one attempt and one phase to the next; with MODE, only that worker. A line you type is sent to the worker that is working; with ! in front it ends the current turn. /quit leaves the view, and the worker continues. Without a terminal, print lines until the worker has ended.',
        )
        .argument('<ISSUE>', ISSUE_HELP)
        .argument('[MODE]', MODE_HELP)
        .option(
          '--leave-after <SECONDS>',
          'Leave this long after the worker has ended, unless someone is looking at this tmux window',
          parseWholeNumber('--leave-after'),
        )
        .addHelpText('after', examples('legion view SHOP-1', 'legion view SHOP-1 review')),
    ),
  async ({ positionals: [issue, mode], options }, context) => {
    const { leaveAfter } = options;
    const leaveAfterMs = leaveAfter === undefined ? undefined : leaveAfter * 1_000;
    const { state, resolved } = findRunningPlace(context, options);
    const daemon = daemonClient(state, context.signal, resolved.config.legion);
    const worker = await pickWorker(daemon, issue, mode);
    const followed = mode === undefined ? parseIssueId(issue) : undefined;
    await showWorker({ state, worker, issue: followed, leaveAfterMs }, context);
    return undefined;
  },
);

/** `legion view`: shows live, in any terminal, what a worker is doing. */
import { Command } from '@commander-js/extra-typings';
import { createDaemonClient } from '../../daemon-client.ts';
import { findRunningLocation } from '../../legion-location.ts';
import { parseIssueId } from '../../parse-names.ts';
import { pickWorker } from '../../pick-worker.ts';
import {
  addLocationOptions,
  defineCommand,
  ISSUE_HELP,
  MODE_HELP,
  parseWholeNumber,
  renderExamples,
} from '../../program/define-command.ts';
import { showWorker } from './view/show.ts';

export const view = defineCommand(
  () =>
    addLocationOptions(
      new Command()
        .description(
          'Follow the worker of an issue live, through all attempts and phases; with MODE, follow only that worker. A line you type is sent to the running worker; start it with ! to interrupt the current turn. /quit leaves the view, and the worker continues. Without a terminal, print lines until the worker ends.',
        )
        .argument('<ISSUE>', ISSUE_HELP)
        .argument('[MODE]', MODE_HELP)
        .option(
          '--leave-after <SECONDS>',
          'Close the view this many seconds after the worker has ended, unless this tmux window is visible',
          parseWholeNumber('--leave-after'),
        )
        .addHelpText('after', renderExamples('legion view SHOP-1', 'legion view SHOP-1 review')),
    ),
  async ({ positionals: [issue, mode], options }, context) => {
    const { leaveAfter } = options;
    const leaveAfterMs = leaveAfter === undefined ? undefined : leaveAfter * 1_000;
    const { state, resolved } = findRunningLocation(context, options);
    const daemon = createDaemonClient(state, context.signal, resolved.config.legion);
    const worker = await pickWorker(daemon, issue, mode);
    const followed = mode === undefined ? parseIssueId(issue) : undefined;
    await showWorker({ state, worker, issue: followed, leaveAfterMs }, context);
    return undefined;
  },
);

/** `legion open`: opens the dashboard in the browser, logged in. */

import { Command } from '@commander-js/extra-typings';
import { openDashboard, resolvePagePath, SINGLE_USE_NOTICE } from '../../dashboard.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { renderExamples } from '../../program/define-command.ts';

export const open = daemonCommand(
  () =>
    new Command()
      .description(
        `Open the dashboard in your browser, logged in. Without a display, print its URL, which is ${SINGLE_USE_NOTICE}.`,
      )
      .argument('[PAGE|ISSUE]', 'board, inbox, fleet, or the id of an issue (default: board)')
      .option('--print', 'Print the URL instead of opening it')
      .addHelpText('after', renderExamples('legion open', 'legion open inbox', 'legion open SHOP-1 --print')),
  async ({ positionals: [page = 'board'], options }, { daemon, context }) => {
    const path = await resolvePagePath(daemon, page);
    const data = await openDashboard(daemon, path, options.print !== true, context);
    const { url, opened } = data;
    const text = opened
      ? `${daemon.file.url}${path} is open in your browser.`
      : `${url}\nThis URL is ${SINGLE_USE_NOTICE}.`;
    return { data, text };
  },
);

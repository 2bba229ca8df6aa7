/** `legion open`: the dashboard in the browser, logged in. */

import { Command } from '@commander-js/extra-typings';
import { pageNamed } from '../../dashboard-address.ts';
import { ONCE, openDashboard } from '../../open-dashboard.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples } from '../../program/options.ts';

export const open = daemonCommand(
  () =>
    new Command()
      .description(
        `Open the dashboard in your browser, logged in. Without a screen, print its address, which is ${ONCE}.`,
      )
      .argument('[PAGE|ISSUE]', 'board, inbox, fleet, or the id of an issue (default: board)')
      .option('--print', 'Print the address instead of opening it')
      .addHelpText('after', examples('legion open', 'legion open inbox', 'legion open SHOP-1 --print')),
  async ({ positionals: [page = 'board'], options }, { daemon, context }) => {
    const path = await pageNamed(daemon, page);
    const data = await openDashboard(daemon, path, options.print !== true, context);
    const { url, opened } = data;
    const text = opened ? `${daemon.file.url}${path} is open in your browser.` : `${url}\nIt is ${ONCE}.`;
    return { data, text };
  },
);

/** `legion open`: the dashboard in the browser, logged in. */

import { pageNamed } from '../dashboard-address.ts';
import { ONCE, openDashboard } from '../open-dashboard.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const open = daemonCommand(
  {
    name: 'open',
    says: [
      'Opens the dashboard in your browser, logged in: the board, or the page named board, inbox or fleet, or that of an',
      `issue. Where there is no screen it prints the address, which is ${ONCE}.`,
    ].join('\n'),
    takes: { 'page|issue': 'optional' },
    options: { print: { says: 'print the address and open nothing' } },
  },
  async ({ 'page|issue': page = 'board', options }, { daemon, context }) => {
    const path = await pageNamed(daemon, page);
    const data = await openDashboard(daemon, path, !options.print, context);
    const { url, opened } = data;
    const text = opened ? `${daemon.file.url}${path} is open in your browser.` : `${url}\nIt is ${ONCE}.`;
    return { data, text };
  },
);

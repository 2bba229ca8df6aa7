/** `legion metrics`: prints the daemon's metrics in Prometheus format. */

import { Command } from '@commander-js/extra-typings';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const metrics = daemonCommand(
  () => new Command().description('Print the daemon’s metrics in Prometheus format.'),
  async (_, { daemon }) => {
    const text = await daemon.text('/metrics');
    return { data: { text }, text: sanitizeText(text) };
  },
);

/** `legion metrics`: the daemon's figures, as Prometheus reads them. */

import { Command } from '@commander-js/extra-typings';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const metrics = daemonCommand(
  () => new Command().description('Print the metrics of the daemon in Prometheus format.'),
  async (_, { daemon }) => {
    const text = await daemon.text('/metrics');
    return { data: { text }, text: safeText(text) };
  },
);

/** `legion metrics`: the daemon's figures, as Prometheus reads them. */

import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const metrics = daemonCommand(
  { name: 'metrics', says: 'Prints the figures of the daemon in the form Prometheus reads.' },
  async (_, { daemon }) => {
    const text = await daemon.text('/metrics');
    return { data: { text }, text: safeText(text) };
  },
);

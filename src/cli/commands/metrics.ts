/** `legion metrics`: the daemon's figures, as Prometheus reads them. */
import { asking } from '../asking.ts';
import { safeText } from '../present/safe.ts';

export const metrics = asking(
  { name: 'metrics', says: 'Prints the figures of the daemon in the form Prometheus reads.' },
  async (_, { daemon }) => {
    const text = await daemon.text('/metrics');
    return { data: { text }, text: safeText(text) };
  },
);

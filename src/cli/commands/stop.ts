/** `legion stop`: asks a worker to end. */
import { saidAnswer } from '../../protocol/operator.ts';
import { asking } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';

export const stop = asking(
  {
    name: 'stop',
    says: 'Asks a worker to end, and ends it if it does not. What it has committed and reported stays.',
    takes: { issue: 'one', mode: 'optional' },
  },
  async ({ issue, mode }, { daemon, by }) => {
    const worker = await pickWorker(daemon, issue, mode);
    const said = await daemon.request('DELETE', route`/workers/${worker}?by=${by}`, saidAnswer);
    return { data: { worker, ...said }, text: `${worker}: ${safeText(said.says)}` };
  },
);

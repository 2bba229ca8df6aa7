/** `legion view`: what a worker does, as it happens, in any terminal. */
import { wholeNumber } from '../arguments.ts';
import { daemonClient } from '../daemon-client.ts';
import { formed } from '../formed.ts';
import { pickWorker } from '../pick-worker.ts';
import { findRunningPlace } from '../place.ts';
import { PLACE_OPTIONS } from '../program/daemon-command.ts';
import { showWorker } from './view/show.ts';

export const view = formed(
  {
    name: 'view',
    says: [
      'Shows what a worker does, live and from one attempt to the next; without a mode, the one at work or the last one.',
      'A line you type is said to it; with "!" in front its turn is cut short. /quit leaves; the worker goes on.',
      'Without a terminal it prints lines until the worker has ended. A restart of the daemon is waited for.',
    ].join('\n'),
    takes: { issue: 'one', mode: 'optional' },
    options: {
      'leave-after': {
        value: 'SECONDS',
        says: 'leave so long after the worker has ended, unless somebody looks at this window of tmux',
      },
      ...PLACE_OPTIONS,
    },
  },
  async ({ issue, mode, options }, context) => {
    const { 'leave-after': leave, ...flags } = options;
    const leaveAfterMs = leave === undefined ? undefined : wholeNumber('--leave-after', leave) * 1_000;
    const { state, resolved } = findRunningPlace(context, flags);
    const daemon = daemonClient(state, context.signal, resolved.config.legion);
    const worker = await pickWorker(daemon, issue, mode);
    await showWorker({ state, worker, leaveAfterMs }, context);
    return undefined;
  },
);

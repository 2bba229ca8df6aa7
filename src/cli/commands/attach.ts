/** `legion attach`: brings this terminal to the window of a worker. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../core/model/fault.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import { attachTo } from '../../terminals/attach.ts';
import { type TmuxViews, tmuxViews } from '../../views/tmux/tmux-views.ts';
import { isInteractive } from '../ask-person.ts';
import type { CommandContext } from '../command.ts';
import { daemonClient } from '../daemon-client.ts';
import { launcher } from '../launcher.ts';
import { findRunningPlace, type Place } from '../legion-location.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';
import { defineCommand } from '../program/define-command.ts';
import { addPlaceOptions, examples, ISSUE_HELP, MODE_HELP } from '../program/options.ts';
import { showWorker } from './view/show.ts';

export const attach = defineCommand(
  () =>
    addPlaceOptions(
      new Command()
        .description(
          'Go to the tmux window that shows a worker, and open it if there is none. Without tmux, show the worker in this terminal. Without an issue, go to the session with all windows of the legion.',
        )
        .argument('[ISSUE]', ISSUE_HELP)
        .argument('[MODE]', MODE_HELP)
        .addHelpText('after', examples('legion attach', 'legion attach SHOP-1 implement')),
    ),
  async ({ positionals: [issue, mode], options }, context) => {
    const place = findRunningPlace(context, options);
    if (!isInteractive(context)) {
      const what = issue === undefined ? 'the windows' : 'the window of a worker';
      throw new LegionError('view.no_terminal', `${what} can only be attached to a terminal`);
    }
    const views = viewsOf(place, context);
    if (issue === undefined) await toSession(views, context);
    else await toWorker(views, place.state, { issue, mode }, context);
    return undefined;
  },
);

function viewsOf({ resolved, file }: Place, { env }: CommandContext): TmuxViews {
  const { legion, short_id } = resolved.config;
  return tmuxViews({ legion, shortId: short_id, file, launcher: launcher(), environment: env });
}

async function toSession(views: TmuxViews, { env, signal }: CommandContext): Promise<void> {
  if ((await views.list(signal)).length === 0) {
    const says = `no window of ${views.session} is open; \`legion attach ISSUE\` opens one`;
    throw new LegionError('view.unavailable', says);
  }
  await attachTo(views, undefined, env, signal);
}

interface Wanted {
  readonly issue: string;
  readonly mode: string | undefined;
}

async function toWorker(views: TmuxViews, state: string, { issue, mode }: Wanted, context: CommandContext) {
  const { env, stderr, signal } = context;
  const daemon = daemonClient(state, signal);
  const worker = await pickWorker(daemon, issue, mode);
  // The window is named after the issue as the board writes it, not as it was typed.
  const known = await daemon.call(workerEndpoints.show, { params: { id: worker } });
  try {
    await attachTo(views, await views.open(known, signal), env, signal);
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'view.unavailable' || signal.aborted) throw error;
    stderr.write(`legion: ${safeText(error.message)}; here is the worker itself\n`);
    await showWorker({ state, worker, issue: mode === undefined ? known.issue : undefined }, context);
  }
}

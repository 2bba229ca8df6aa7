/** `legion attach`: attaches this terminal to a worker's tmux window. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { attachToTmux } from '../../../terminals/attach.ts';
import { createTmuxTerminals, type TmuxTerminals } from '../../../terminals/tmux-terminals.ts';
import { isInteractive } from '../../ask-person.ts';
import { createDaemonClient } from '../../daemon-client.ts';
import { getLauncher } from '../../installation.ts';
import { findRunningLocation, type LegionLocation } from '../../legion-location.ts';
import { pickWorker } from '../../pick-worker.ts';
import { sanitizeText } from '../../present/terminal.ts';
import {
  addLocationOptions,
  type CommandContext,
  defineCommand,
  ISSUE_HELP,
  MODE_HELP,
  renderExamples,
} from '../../program/define-command.ts';
import { showWorker } from './view/show.ts';

export const attach = defineCommand(
  () =>
    addLocationOptions(
      new Command()
        .description(
          'Attach to the tmux window of a worker, and open one if it has none. Without tmux, show the worker in this terminal. Without an issue, attach to the session with all windows of the legion.',
        )
        .argument('[ISSUE]', ISSUE_HELP)
        .argument('[MODE]', MODE_HELP)
        .addHelpText('after', renderExamples('legion attach', 'legion attach SHOP-1 implement')),
    ),
  async ({ positionals: [issue, mode], options }, context) => {
    const location = findRunningLocation(context, options);
    if (!isInteractive(context)) {
      const target = issue === undefined ? 'the windows of a legion' : 'the window of a worker';
      throw new LegionError('view.no_terminal', `Showing ${target} requires a terminal.`);
    }
    const terminals = createLegionViews(location, context);
    if (issue === undefined) await switchToSession(terminals, context);
    else await switchToWorker(terminals, location.state, { issue, mode }, context);
    return undefined;
  },
);

function createLegionViews({ resolved, file }: LegionLocation, { env }: CommandContext): TmuxTerminals {
  const { legion, short_id } = resolved.config;
  return createTmuxTerminals({ legion, shortId: short_id, file, launcher: getLauncher(), environment: env });
}

async function switchToSession(terminals: TmuxTerminals, { env, signal }: CommandContext): Promise<void> {
  if ((await terminals.list(signal)).length === 0) {
    const message = `The session ${terminals.session} has no open windows. Run \`legion attach ISSUE\` to open one.`;
    throw new LegionError('view.unavailable', message);
  }
  await attachToTmux(terminals, undefined, env, signal);
}

interface AttachTarget {
  readonly issue: string;
  readonly mode: string | undefined;
}

async function switchToWorker(
  terminals: TmuxTerminals,
  state: string,
  { issue, mode }: AttachTarget,
  context: CommandContext,
) {
  const { env, stderr, signal } = context;
  const daemon = createDaemonClient(state, signal);
  const worker = await pickWorker(daemon, issue, mode);
  // Gets the issue's id as the board spells it, because the window's name must not depend on how
  // the person typed the id.
  const known = await daemon.call(workerEndpoints.show, { params: { id: worker } });
  try {
    await attachToTmux(terminals, await terminals.open(known, signal), env, signal);
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'view.unavailable' || signal.aborted) throw error;
    stderr.write(`legion: ${sanitizeText(error.message)}\nShowing the worker in this terminal instead.\n`);
    await showWorker({ state, worker, issue: mode === undefined ? known.issue : undefined }, context);
  }
}

/** `legion prompt`: sends a message to a worker. */
import { Command } from '@commander-js/extra-typings';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';
import { examples } from '../program/examples.ts';
import { ISSUE_HELP, MODE_HELP } from '../program/positionals.ts';

export const prompt = daemonCommand(
  () =>
    new Command()
      .description('Send a message to a worker of an issue. A busy worker gets it as soon as it is idle.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The message')
      .option('--mode <MODE>', MODE_HELP)
      .option('--interrupt', 'End its current turn, so that it gets the message now')
      .addHelpText(
        'after',
        examples('legion prompt SHOP-1 "Please add a test"', 'legion prompt SHOP-1 --interrupt "Stop that"'),
      ),
  async ({ positionals: [issue, text], options }, { daemon, by }) => {
    const worker = await pickWorker(daemon, issue, options.mode);
    const body = { text: text.join(' '), by, interrupt: options.interrupt === true };
    const answer = await daemon.call(workerEndpoints.prompt, { params: { id: worker }, body });
    return { data: { worker, ...answer }, text: `${worker}: ${answer.delivery}. ${safeText(answer.says)}` };
  },
);

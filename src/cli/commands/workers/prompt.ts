/** `legion prompt`: sends a message to a worker. */
import { Command } from '@commander-js/extra-typings';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { pickWorker } from '../../pick-worker.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, MODE_HELP, renderExamples } from '../../program/define-command.ts';

export const prompt = daemonCommand(
  () =>
    new Command()
      .description(
        'Send a message to the running worker of an issue. A busy worker receives it at the end of its turn. With --mode, a worker that has ended starts again with the message.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The message')
      .option('--mode <MODE>', MODE_HELP)
      .option('--interrupt', 'End the current turn, so that the worker receives the message now')
      .addHelpText(
        'after',
        renderExamples(
          'legion prompt SHOP-1 "Please add a test"',
          'legion prompt SHOP-1 --interrupt "Stop that"',
          'legion prompt SHOP-1 --mode plan "Plan the tests, too"',
        ),
      ),
  async ({ positionals: [issue, text], options }, { daemon, by }) => {
    const worker = await pickWorker(daemon, issue, options.mode);
    // Without a mode, only a running worker gets the message, because a message must not restart a
    // finished phase.
    const onlyIfWorking = options.mode === undefined;
    const body = { text: text.join(' '), by, interrupt: options.interrupt === true, onlyIfWorking };
    const answer = await daemon.call(workerEndpoints.prompt, { params: { id: worker }, body });
    return {
      data: { worker, ...answer },
      text: `${worker}: ${answer.delivery}. ${sanitizeText(answer.says)}`,
    };
  },
);

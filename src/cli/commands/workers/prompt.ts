/** `legion prompt`: sends a message to a worker. */
import { Command } from '@commander-js/extra-typings';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { pickWorker } from '../../pick-worker.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP, MODE_HELP } from '../../program/options.ts';

export const prompt = daemonCommand(
  () =>
    new Command()
      .description(
        'Send a message to the worker that is working on an issue. A busy worker gets it at the end of its turn. With --mode, also to a worker that has ended: it starts again with the message.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('<TEXT...>', 'The message')
      .option('--mode <MODE>', MODE_HELP)
      .option('--interrupt', 'End its current turn, so that it gets the message now')
      .addHelpText(
        'after',
        examples(
          'legion prompt SHOP-1 "Please add a test"',
          'legion prompt SHOP-1 --interrupt "Stop that"',
          'legion prompt SHOP-1 --mode plan "Plan the tests, too"',
        ),
      ),
  async ({ positionals: [issue, text], options }, { daemon, by }) => {
    const worker = await pickWorker(daemon, issue, options.mode);
    // Without a mode the person means the worker that works now: a finished phase must not start again.
    const onlyIfWorking = options.mode === undefined;
    const body = { text: text.join(' '), by, interrupt: options.interrupt === true, onlyIfWorking };
    const answer = await daemon.call(workerEndpoints.prompt, { params: { id: worker }, body });
    return { data: { worker, ...answer }, text: `${worker}: ${answer.delivery}. ${safeText(answer.says)}` };
  },
);

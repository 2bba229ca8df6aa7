/** `legion reset-crashes`: lets workers that crashed too often start again. */
import { Command } from '@commander-js/extra-typings';
import { toWorkerId } from '../../../core/model/ids.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { parseIssueId, parseMode } from '../../parse-names.ts';
import { listIssueWorkers, requireOnBoard } from '../../pick-worker.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

export const resetCrashes = daemonCommand(
  () =>
    new Command()
      .description('Reset the crash count of a worker, so that it may start again.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('[MODE]', 'Mode of the worker (default: all crashed workers of the issue)')
      .addHelpText('after', renderExamples('legion reset-crashes SHOP-1 implement')),
  async ({ positionals: [issue, mode] }, { daemon, by }) => {
    const id = parseIssueId(issue);
    const known = await listIssueWorkers(daemon, id);
    if (known.length === 0) await requireOnBoard(daemon, id);
    const workers =
      mode === undefined
        ? known.filter(({ crashes }) => crashes > 0).map((worker) => worker.id)
        : [toWorkerId(id, parseMode(mode))];
    const reset: { worker: string; says: string }[] = [];
    for (const worker of workers) {
      const { says } = await daemon.call(workerEndpoints.resetCrashes, {
        params: { id: worker },
        query: { by },
      });
      reset.push({ worker, says });
    }
    const lines = reset.map(({ worker, says }) => `${worker}: ${sanitizeText(says)}`);
    return { data: reset, text: lines.length === 0 ? `${id} has no crashes to reset.` : lines.join('\n') };
  },
);

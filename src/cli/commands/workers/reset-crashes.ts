/** `legion reset-crashes`: lets workers start again that failed as often as is allowed. */
import { Command } from '@commander-js/extra-typings';
import { workerId } from '../../../core/model/ids.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { parseIssueId, parseMode } from '../../parse-names.ts';
import { requireOnBoard, workersOf } from '../../pick-worker.ts';
import { safeText } from '../../present/safe.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';

export const resetCrashes = daemonCommand(
  () =>
    new Command()
      .description('Forget the crashes of a worker, so that it may start again.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('[MODE]', 'Mode of the worker (default: every worker of the issue that crashed)')
      .addHelpText('after', examples('legion reset-crashes SHOP-1 implement')),
  async ({ positionals: [issue, mode] }, { daemon, by }) => {
    const id = parseIssueId(issue);
    const known = await workersOf(daemon, id);
    if (known.length === 0) await requireOnBoard(daemon, id);
    const workers =
      mode === undefined
        ? known.filter(({ crashes }) => crashes > 0).map((worker) => worker.id)
        : [workerId(id, parseMode(mode))];
    const reset: { worker: string; says: string }[] = [];
    for (const worker of workers) {
      const { says } = await daemon.call(workerEndpoints.resetCrashes, {
        params: { id: worker },
        query: { by },
      });
      reset.push({ worker, says });
    }
    const lines = reset.map(({ worker, says }) => `${worker}: ${safeText(says)}`);
    return { data: reset, text: lines.length === 0 ? `${id} has no crash to forget` : lines.join('\n') };
  },
);

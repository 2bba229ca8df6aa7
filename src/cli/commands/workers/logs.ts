/** `legion logs`: prints the output of a worker's process. */
import { Command } from '@commander-js/extra-typings';
import { hasEnded } from '../../../core/model/lifecycle.ts';
import type { LogsAnswer } from '../../../protocol/workers.ts';
import { pickWorker } from '../../pick-worker.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, MODE_HELP, parseWholeNumber, renderExamples } from '../../program/define-command.ts';
import { readWorkerOutput, type WorkerOutputCursor, watchWorkerOutput } from '../../worker-output.ts';

export const logs = daemonCommand(
  () =>
    new Command()
      .description('Print the output of a worker’s process.')
      .argument('<ISSUE>', ISSUE_HELP)
      .argument('[MODE]', MODE_HELP)
      .option(
        '--attempt <N>',
        'Number of the attempt (default: the latest)',
        parseWholeNumber('--attempt', 1),
      )
      .option('--follow', 'Keep printing until the worker ends')
      .option('--stderr', 'Print standard error instead of standard output')
      .addHelpText('after', renderExamples('legion logs SHOP-1', 'legion logs SHOP-1 implement --follow')),
  async ({ positionals: [issue, mode], options }, session) => {
    const { attempt } = options;
    const worker = await pickWorker(session.daemon, issue, mode);
    const stream = options.stderr === true ? 'err' : 'out';
    const cursor: WorkerOutputCursor = { worker, attempt, stream, offset: 0 };
    if (options.follow === true) {
      await printUntilEnded(cursor, session);
      return { data: undefined, text: '' };
    }
    const parts: LogsAnswer[] = [];
    for await (const part of readWorkerOutput(session.daemon, cursor)) parts.push(part);
    const text = parts.map((part) => part.text).join('');
    const data = { worker, attempt: parts[0]?.attempt, text };
    return { data, text: toPrintableText(text, session), isVerbatim: true };
  },
);

async function printUntilEnded(cursor: WorkerOutputCursor, session: CommandSession): Promise<void> {
  const { daemon, context } = session;
  for await (const update of watchWorkerOutput(daemon, cursor, context.signal)) {
    if (update.kind === 'written') {
      const { part } = update;
      context.stdout.write(session.json ? `${JSON.stringify(part)}\n` : toPrintableText(part.text, session));
    } else if (hasEnded(update.worker.status) || update.worker.attempt > update.attempt) return;
  }
}

/** Escapes control characters for a terminal only; a file gets the raw output. */
function toPrintableText(text: string, { context }: CommandSession): string {
  return context.stdout.isTTY === true ? sanitizeText(text) : text;
}

/** `legion logs`: what a worker's process wrote. */
import { Command } from '@commander-js/extra-typings';
import { hasEnded } from '../../../domain/lifecycle.ts';
import type { LogsAnswer } from '../../../protocol/operator.ts';
import { pickWorker } from '../../pick-worker.ts';
import { safeText } from '../../present/safe.ts';
import { type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP, MODE_HELP, parseWholeNumber } from '../../program/options.ts';
import { followOutput, type Reading, written } from '../../worker-output.ts';

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
      .option('--follow', 'Continue until the worker ends')
      .option('--stderr', 'Print its standard error instead')
      .addHelpText('after', examples('legion logs SHOP-1', 'legion logs SHOP-1 implement --follow')),
  async ({ positionals: [issue, mode], options }, session) => {
    const { attempt } = options;
    const worker = await pickWorker(session.daemon, issue, mode);
    const stream = options.stderr === true ? 'err' : 'out';
    const reading: Reading = { worker, attempt, stream, offset: 0 };
    if (options.follow === true) {
      await follow(reading, session);
      return { data: undefined, text: '' };
    }
    const parts: LogsAnswer[] = [];
    for await (const part of written(session.daemon, reading)) parts.push(part);
    const text = parts.map((part) => part.text).join('');
    const data = { worker, attempt: parts[0]?.attempt, text };
    return { data, text: printable(text, session), isVerbatim: true };
  },
);

async function follow(reading: Reading, session: CommandSession): Promise<void> {
  const { daemon, context } = session;
  for await (const news of followOutput(daemon, reading, context.signal)) {
    if (news.kind === 'written') {
      const { part } = news;
      context.stdout.write(session.json ? `${JSON.stringify(part)}\n` : printable(part.text, session));
    } else if (hasEnded(news.worker.status) || news.worker.attempt > news.attempt) return;
  }
}

/** A terminal gets nothing that could disturb it; a file gets what was written. */
function printable(text: string, { context }: CommandSession): string {
  return context.stdout.isTTY === true ? safeText(text) : text;
}

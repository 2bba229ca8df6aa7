/** `legion logs`: what a worker's process wrote. */
import { hasEnded } from '../../domain/lifecycle.ts';
import type { LogsAnswer } from '../../protocol/operator.ts';
import { wholeNumber } from '../arguments.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';
import { type CommandSession, daemonCommand } from '../program/daemon-command.ts';
import { followOutput, type Reading, written } from '../worker-output.ts';

export const logs = daemonCommand(
  {
    name: 'logs',
    says: 'Prints what a worker’s process has written; without a mode, of the one at work or the last one.',
    takes: { issue: 'one', mode: 'optional' },
    options: {
      attempt: { value: 'N', says: 'which of its lives; default: the latest' },
      follow: { says: 'go on until the worker ends' },
      stderr: { says: 'its standard error instead' },
    },
  },
  async ({ issue, mode, options }, session) => {
    const attempt = options.attempt === undefined ? undefined : wholeNumber('--attempt', options.attempt, 1);
    const worker = await pickWorker(session.daemon, issue, mode);
    const reading: Reading = { worker, attempt, stream: options.stderr ? 'err' : 'out', offset: 0 };
    if (options.follow) {
      await follow(reading, session);
      return { data: undefined, text: '' };
    }
    const parts: LogsAnswer[] = [];
    for await (const part of written(session.daemon, reading)) parts.push(part);
    const text = parts.map((part) => part.text).join('');
    return {
      data: { worker, attempt: parts[0]?.attempt, text },
      text: printable(text, session),
      isVerbatim: true,
    };
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

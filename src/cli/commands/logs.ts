/** `legion logs`: what a worker's process wrote. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded } from '../../domain/lifecycle.ts';
import { type LogsAnswer, logsAnswer, workerSchema } from '../../protocol/operator.ts';
import { wholeNumber } from '../arguments.ts';
import { asking, type Desk } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';

/** Between two looks while following: fast enough to read along, slow enough to cost nothing. */
const FOLLOW_MS = 500;

interface Wanted {
  readonly worker: string;
  readonly attempt: number | undefined;
  readonly stream: 'out' | 'err';
}

export const logs = asking(
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
  async ({ issue, mode, options }, desk) => {
    const attempt = options.attempt === undefined ? undefined : wholeNumber('--attempt', options.attempt, 1);
    const worker = await pickWorker(desk.daemon, issue, mode);
    const wanted: Wanted = { worker, attempt, stream: options.stderr ? 'err' : 'out' };
    if (options.follow) {
      await follow(wanted, desk);
      return { data: undefined, text: '' };
    }
    const parts: LogsAnswer[] = [];
    for await (const part of written(wanted, 0, desk)) parts.push(part);
    const text = parts.map((part) => part.text).join('');
    return { data: { worker, attempt: parts[0]?.attempt, text }, text: printable(text, desk) };
  },
);

/** From a byte on to the present end. */
async function* written(wanted: Wanted, from: number, { daemon }: Desk): AsyncGenerator<LogsAnswer> {
  for (let offset = from, more = true; more; ) {
    const path = route`/workers/${wanted.worker}/logs?offset=${String(offset)}&stream=${wanted.stream}`;
    const which = wanted.attempt === undefined ? '' : `&attempt=${wanted.attempt}`;
    const part = await daemon.request('GET', `${path}${which}`, logsAnswer);
    yield part;
    more = part.more && part.nextOffset > offset;
    offset = part.nextOffset;
  }
}

/** What was written before the worker was seen to have ended is printed before this ends. */
async function follow(wanted: Wanted, desk: Desk): Promise<void> {
  const { daemon, context } = desk;
  let attempt = wanted.attempt;
  for (let offset = 0, over = false; !over; ) {
    const worker = await daemon.request('GET', route`/workers/${wanted.worker}`, workerSchema);
    attempt ??= worker.attempt;
    over = hasEnded(worker.status) || worker.attempt > attempt;
    for await (const part of written({ ...wanted, attempt }, offset, desk)) {
      context.stdout.write(desk.json ? `${JSON.stringify(part)}\n` : printable(part.text, desk));
      offset = part.nextOffset;
    }
    if (!over) await sleep(FOLLOW_MS, undefined, { signal: context.signal });
  }
}

/** A terminal gets nothing that could disturb it; a file gets what was written. */
function printable(text: string, { context }: Desk): string {
  return context.stdout.isTTY === true ? safeText(text) : text;
}

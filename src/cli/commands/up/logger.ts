/** What a daemon says about itself: lines for a person at a terminal, JSON in a file. On standard error, beside the results. */
import { styleText } from 'node:util';
import { pino } from 'pino';
import type { CommandContext } from '../../command.ts';
import { safeText } from '../../present/safe.ts';
import { clock } from '../../present/time.ts';

const STANDARD_ERROR = 2;

export function daemonLogger({ stderr }: CommandContext): (what: object, message: string) => void {
  if (stderr.isTTY === true) {
    return (_, message) => {
      stderr.write(
        `${styleText('dim', clock(Date.now()), { stream: process.stderr })} ${safeText(message)}\n`,
      );
    };
  }
  // Written at once: the last words of a daemon that dies are those that matter.
  const logger = pino({ base: { pid: process.pid } }, pino.destination({ fd: STANDARD_ERROR, sync: true }));
  return (what, message) => logger.info(what, message);
}

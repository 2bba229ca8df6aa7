/** Is the daemon, until it is told to end; where it is to give way, starts its successor first. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { styleText } from 'node:util';
import { pino } from 'pino';
import { LegionError } from '../../../core/model/fault.ts';
import { runDaemon } from '../../../daemon/main.ts';
import type { BaselineRequest } from '../../../protocol/baseline.ts';
import { buildPages } from '../../build-pages.ts';
import type { CommandContext } from '../../command.ts';
import { daemonClient } from '../../daemon-client.ts';
import { launcher } from '../../launcher.ts';
import type { Place } from '../../legion-location.ts';
import { pagesFolder } from '../../pages-folder.ts';
import { safeText } from '../../present/safe.ts';
import { clock } from '../../present/time.ts';
import { version } from '../../version.ts';
import { changeBaselines } from '../daemon/up/preflight.ts';
import { foregroundCommand } from './same-legion.ts';

export async function runInForeground(
  place: Place,
  json: boolean,
  context: CommandContext,
  baseline: readonly BaselineRequest['action'][] = [],
): Promise<number | undefined> {
  const { stdout } = context;
  const log = daemonLogger(context);
  const building = beginBuilding(context, log);
  const ended = await runDaemon({
    file: place.file,
    flags: place.flags,
    environment: context.env,
    launcher: launcher(),
    version: version(),
    pages: pagesFolder,
    signal: context.signal,
    onReady: (info) => {
      changeBaselines(daemonClient(place.state, context.signal), baseline).catch((error: unknown) =>
        log({}, `the baseline was not changed: ${String(error)}`),
      );
      if (json) stdout.write(`${JSON.stringify(info)}\n`);
      else if (stdout.isTTY === true) stdout.write(`${info.legion} runs at ${info.url}; Ctrl-C ends it\n`);
    },
    log,
  }).finally(() => building.end());
  if (ended === 'restart') await startSuccessor(place, context);
  return undefined;
}

interface Building {
  end(): Promise<void>;
}

/** Beside the start of the daemon, which does not wait for it: issues count more than pages. */
function beginBuilding({ env, signal }: CommandContext, log: ReturnType<typeof daemonLogger>): Building {
  const ending = new AbortController();
  const built = buildPages(env, AbortSignal.any([signal, ending.signal])).catch((error: unknown) => {
    if (error instanceof LegionError)
      log({ code: error.code }, `the dashboard was not built: ${error.message}`);
  });
  return {
    end() {
      ending.abort();
      return built;
    },
  };
}

/** For the same legion, in the same place, writing to where this one wrote. */
async function startSuccessor(place: Place, { cwd, env }: CommandContext): Promise<void> {
  const [program, ...args] = foregroundCommand(place);
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'inherit' });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new LegionError('daemon.start_failed', `its successor: ${(error as Error).message}`, {
      cause: error,
    });
  }
  child.unref();
}

const STANDARD_ERROR = 2;

/** What a daemon says about itself: lines for a person at a terminal, JSON in a file. On standard error, beside the results. */
function daemonLogger({ stderr }: CommandContext): (what: object, message: string) => void {
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

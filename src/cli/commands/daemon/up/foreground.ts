/** Prepares a daemon that runs in this process, and starts its successor after a restart request. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { styleText } from 'node:util';
import { pino } from 'pino';
import { LegionError } from '../../../../core/model/fault.ts';
import type { BaselineRequest } from '../../../../protocol/operator.ts';
import type { DaemonFile } from '../../../../protocol/state-files.ts';
import { createDaemonClient } from '../../../daemon-client.ts';
import { buildPages, findPagesFolder } from '../../../dashboard.ts';
import { getLauncher, readVersion } from '../../../installation.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import { sanitizeText } from '../../../present/terminal.ts';
import { formatLocalTime } from '../../../present/words.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { buildForegroundCommand } from './background.ts';
import { updateBaselines } from './preflight.ts';

/**
 * Returns the options for a daemon in this process, and the build of the dashboard that runs beside
 * the daemon.
 */
export function prepareForeground(
  location: LegionLocation,
  json: boolean,
  context: CommandContext,
  baseline: readonly BaselineRequest['action'][],
) {
  const { stdout } = context;
  const log = createDaemonLogger(context);
  const building = startPagesBuild(context, log);
  const options = {
    file: location.file,
    flags: location.flags,
    environment: context.env,
    launcher: getLauncher(),
    version: readVersion(),
    pages: findPagesFolder,
    signal: context.signal,
    onReady: (info: DaemonFile) => {
      updateBaselines(createDaemonClient(location.state, context.signal), baseline).catch((error: unknown) =>
        log({}, `The baseline was not changed: ${String(error)}`),
      );
      if (json) stdout.write(`${JSON.stringify(info)}\n`);
      else if (stdout.isTTY === true)
        stdout.write(`${info.legion} is running at ${info.url}. Press Ctrl-C to stop it.\n`);
    },
    log,
  };
  return { options, building };
}

interface PagesBuild {
  end(): Promise<void>;
}

/** Builds the dashboard while the daemon starts. The daemon does not wait for the build. */
function startPagesBuild(
  { env, signal }: CommandContext,
  log: ReturnType<typeof createDaemonLogger>,
): PagesBuild {
  const stopping = new AbortController();
  const built = buildPages(env, AbortSignal.any([signal, stopping.signal])).catch((error: unknown) => {
    if (error instanceof LegionError)
      log({ code: error.code }, `The dashboard was not built: ${error.message}`);
  });
  return {
    end() {
      stopping.abort();
      return built;
    },
  };
}

/** Starts the same legion from the same directory, with the same output streams. */
export async function startSuccessor(location: LegionLocation, { cwd, env }: CommandContext): Promise<void> {
  const [program, ...args] = buildForegroundCommand(location);
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'inherit' });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new LegionError(
      'daemon.start_failed',
      `The new daemon did not start: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  child.unref();
}

const STANDARD_ERROR = 2;

/**
 * Logs to standard error, so that stdout contains only results. The log consists of readable lines
 * at a terminal and of JSON elsewhere.
 */
function createDaemonLogger({ stderr }: CommandContext): (what: object, message: string) => void {
  if (stderr.isTTY === true) {
    return (_, message) => {
      stderr.write(
        `${styleText('dim', formatLocalTime(Date.now()), { stream: process.stderr })} ${sanitizeText(message)}\n`,
      );
    };
  }
  // Synchronous, because the last messages of a crashing daemon matter most.
  const logger = pino({ base: { pid: process.pid } }, pino.destination({ fd: STANDARD_ERROR, sync: true }));
  return (fields, message) => logger.info(fields, message);
}

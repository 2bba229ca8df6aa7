/** Shows workers in tmux windows: one session per legion, with a `legion view` in each window. */
import { dirname } from 'node:path';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Terminals, TerminalWindow, TerminalWorker } from '../ports/terminals.ts';
import {
  buildTmuxEnvironment,
  callTmux,
  createTmuxError,
  formatOldWindowName,
  formatSessionName,
  formatWindowName,
  formatWindowVariables,
  type TmuxCallOptions,
} from './tmux-call.ts';

/**
 * Leaves time to read the last output, even for a late viewer. After that, a window that no one
 * views is only in the way.
 */
const WINDOW_CLOSES_AFTER_S = 60;

export interface TmuxTerminalsOptions {
  readonly legion: string;
  readonly shortId: string | undefined;
  /** The legion's configuration, if it has a file. */
  readonly file: { readonly path: string; readonly named: boolean };
  /** Command that starts Legion. */
  readonly launcher: readonly [string, ...string[]];
  readonly environment: EnvironmentVariables;
  readonly closesAfterS?: number;
}

export interface TmuxTerminals extends Terminals {
  readonly session: string;
}

export function createTmuxTerminals(options: TmuxTerminalsOptions): TmuxTerminals {
  const session = formatSessionName(options.shortId ?? options.legion);
  const environment = buildTmuxEnvironment(options.environment);
  const folder = dirname(options.file.path);

  /** Undefined if the session or the server does not exist. */
  async function listWindows(
    signal: AbortSignal | undefined,
  ): Promise<readonly TerminalWindow[] | undefined> {
    const args = ['list-windows', '-t', `=${session}`, '-F', '#{window_id} #{window_name}'];
    const answer = await callTmux(args, { environment, signal });
    if ('printed' in answer) return answer.printed.split('\n').filter(Boolean).map(parseWindow);
    if (NO_SESSION_PATTERN.test(answer.refused)) return undefined;
    throw createTmuxError(args, answer.refused);
  }

  async function createWindow(
    worker: TerminalWorker,
    hasSession: boolean,
    callOptions: TmuxCallOptions,
  ): Promise<string> {
    const windowArgs = [
      ...['-n', formatWindowName(worker), '-P', '-F', '#{window_id}'],
      ...formatWindowVariables(options.environment).flatMap((variable) => ['-e', variable]),
      ...['--', ...buildViewCommand(worker, options)],
    ];
    const inNewSession = ['new-session', '-d', '-s', session, ...windowArgs];
    const inSession = ['new-window', '-d', '-t', `=${session}:`, ...windowArgs];
    // Tries the other command too, because another process may have started the session or closed
    // its last window since the check.
    const commands = hasSession ? [inSession, inNewSession] : [inNewSession, inSession];
    let refusal = '';
    for (const args of commands) {
      const answer = await callTmux(args, callOptions);
      if ('printed' in answer) return answer.printed.trim();
      refusal = answer.refused;
    }
    throw createTmuxError(commands[1] ?? [], refusal);
  }

  return {
    session,
    list: async (signal) => (await listWindows(signal)) ?? [],
    async open(worker, signal) {
      const name = formatWindowName(worker);
      const before = await listWindows(signal);
      const names = [name, formatOldWindowName(worker)];
      const existing = before?.find((window) => names.includes(window.name));
      if (existing !== undefined) return existing;
      const callOptions = { environment, folder, signal };
      const id = await createWindow(worker, before !== undefined, callOptions);
      // A person may have enabled `remain-on-exit` for all windows. A dead window would then be
      // mistaken for the worker's window when the worker resumes.
      const keep = ['set-option', '-w', '-t', `=${session}:${id}`, 'remain-on-exit', 'off'];
      const answer = await callTmux(keep, callOptions);
      if ('refused' in answer) throw createWindowClosedError(name, answer.refused);
      return { id, name };
    },
  };
}

/** tmux 3's messages for a missing session, server or socket. */
const NO_SESSION_PATTERN =
  /^(?:can't find session|no server running|error connecting to .*No such file or directory)/;

function parseWindow(line: string): TerminalWindow {
  const space = line.indexOf(' ');
  return { id: line.slice(0, space), name: line.slice(space + 1) };
}

function buildViewCommand({ issue, mode }: TerminalWorker, options: TmuxTerminalsOptions): readonly string[] {
  const { launcher, legion, file, closesAfterS = WINDOW_CLOSES_AFTER_S } = options;
  return [
    ...[...launcher, 'view', issue, mode, '--leave-after', String(closesAfterS), '--legion', legion],
    ...(file.named ? ['--config', file.path] : []),
  ];
}

function createWindowClosedError(name: string, reason: string): LegionError {
  return new LegionError('view.unavailable', `the window ${name} closed as soon as it opened (${reason})`);
}

/** Workers in windows of tmux: one session for each legion, and in each window a `legion view`. */
import { dirname } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import type { ShownWorker, Views, ViewWindow } from '../view.ts';
import { callTmux, refusal, type Surroundings } from './call.ts';
import { tmuxEnvironment, windowVariables } from './environment.ts';
import { sessionName, windowName } from './names.ts';

/** Time to read the last words, also for somebody who comes a moment late; then a window of nobody is only in the way. */
const WINDOW_CLOSES_AFTER_S = 60;

export interface TmuxViewsOptions {
  readonly legion: string;
  readonly shortId: string | undefined;
  /** The legion's configuration, where it has a file. */
  readonly file: { readonly path: string; readonly named: boolean };
  /** The command that starts Legion. */
  readonly launcher: readonly [string, ...string[]];
  readonly environment: Environment;
  readonly closesAfterS?: number;
}

export interface TmuxViews extends Views {
  readonly session: string;
}

export function tmuxViews(options: TmuxViewsOptions): TmuxViews {
  const session = sessionName(options.shortId ?? options.legion);
  const environment = tmuxEnvironment(options.environment);
  const folder = dirname(options.file.path);

  /** Undefined where there is no such session, or no server at all. */
  async function windows(signal: AbortSignal | undefined): Promise<readonly ViewWindow[] | undefined> {
    const args = ['list-windows', '-t', `=${session}`, '-F', '#{window_id} #{window_name}'];
    const answer = await callTmux(args, { environment, signal });
    if ('printed' in answer) return answer.printed.split('\n').filter(Boolean).map(windowIn);
    if (NOT_THERE.test(answer.refused)) return undefined;
    throw refusal(args, answer.refused);
  }

  async function make(worker: ShownWorker, hasSession: boolean, around: Surroundings): Promise<string> {
    const what = [
      ...['-n', windowName(worker), '-P', '-F', '#{window_id}'],
      ...windowVariables(options.environment).flatMap((variable) => ['-e', variable]),
      ...['--', ...commandFor(worker, options)],
    ];
    const inNewSession = ['new-session', '-d', '-s', session, ...what];
    const inSession = ['new-window', '-d', '-t', `=${session}:`, ...what];
    // Somebody else may have begun the session, or closed its last window, since it was looked for.
    const order = hasSession ? [inSession, inNewSession] : [inNewSession, inSession];
    let says = '';
    for (const args of order) {
      const answer = await callTmux(args, around);
      if ('printed' in answer) return answer.printed.trim();
      says = answer.refused;
    }
    throw refusal(order[1] ?? [], says);
  }

  return {
    session,
    list: async (signal) => (await windows(signal)) ?? [],
    async open(worker, signal) {
      const name = windowName(worker);
      const before = await windows(signal);
      const there = before?.find((window) => window.name === name);
      if (there !== undefined) return there;
      const around = { environment, folder, signal };
      const id = await make(worker, before !== undefined, around);
      // A person may have it on for all windows: the remains of this one would pass for it when the worker goes on.
      const keep = ['set-option', '-w', '-t', `=${session}:${id}`, 'remain-on-exit', 'off'];
      const answer = await callTmux(keep, around);
      if ('refused' in answer) throw closedAtOnce(name, answer.refused);
      return { id, name };
    },
  };
}

/** As tmux 3 says that a session, a server, or the socket of one is not there. */
const NOT_THERE = /^(?:can't find session|no server running|error connecting to .*No such file or directory)/;

function windowIn(line: string): ViewWindow {
  const space = line.indexOf(' ');
  return { id: line.slice(0, space), name: line.slice(space + 1) };
}

function commandFor({ issue, mode }: ShownWorker, options: TmuxViewsOptions): readonly string[] {
  const { launcher, legion, file, closesAfterS = WINDOW_CLOSES_AFTER_S } = options;
  return [
    ...[...launcher, 'view', issue, mode, '--leave-after', String(closesAfterS), '--legion', legion],
    ...(file.named ? ['--config', file.path] : []),
  ];
}

function closedAtOnce(name: string, says: string): LegionError {
  return new LegionError('view.unavailable', `the window ${name} closed as soon as it was open (${says})`);
}

/** Attaches a person's terminal to a tmux window and waits until they leave it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import type { TerminalWindow } from '../ports/terminals.ts';
import { buildTmuxEnvironment, callTmux, createTmuxError } from './tmux-call.ts';
import type { TmuxTerminals } from './tmux-terminals.ts';

/**
 * Attaches to the given window, or, if none is given, to the session's last viewed window. Rejects
 * with `view.unavailable`.
 */
export async function attachToTmux(
  { session }: TmuxTerminals,
  window: TerminalWindow | undefined,
  environment: EnvironmentVariables,
  signal: AbortSignal,
): Promise<void> {
  const own = buildTmuxEnvironment(environment);
  const target = window === undefined ? `=${session}:` : `=${session}:${window.id}`;
  if (await isInsideSession(environment, own, session, signal)) {
    const args = ['switch-client', '-t', target];
    const { TMUX = '', TMUX_PANE = '' } = environment;
    const inside = { ...own, TMUX, TMUX_PANE };
    const answer = await callTmux(args, { environment: inside, signal });
    if ('refused' in answer) throw createTmuxError(args, answer.refused);
    return;
  }
  const args = ['attach-session', '-t', target];
  const child = spawn('tmux', args, { stdio: 'inherit', env: own, signal });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw createTmuxError(args, 'it exited immediately; see its output above');
}

/**
 * Only a terminal inside the same tmux server can switch windows. A terminal inside another tmux is
 * attached like any other terminal.
 */
async function isInsideSession(
  { TMUX }: EnvironmentVariables,
  own: Readonly<Record<string, string>>,
  session: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (TMUX === undefined || TMUX === '') return false;
  const args = ['display-message', '-p', '-t', `=${session}:`, '#{socket_path}'];
  const answer = await callTmux(args, { environment: own, signal });
  return 'printed' in answer && answer.printed.trim() === TMUX.split(',')[0];
}

/**
 * Returns whether a person is viewing the window of the process with this environment. Also returns
 * false if this cannot be determined.
 */
export async function isWindowVisible(environment: EnvironmentVariables): Promise<boolean> {
  const { TMUX, TMUX_PANE } = environment;
  if (TMUX === undefined || TMUX_PANE === undefined) return false;
  const args = ['display-message', '-p', '-t', TMUX_PANE, '#{window_active_clients}'];
  const own = { ...buildTmuxEnvironment(environment), TMUX };
  const answer = await callTmux(args, { environment: own }).catch(() => ({ refused: '' }));
  return 'printed' in answer && Number(answer.printed) > 0;
}

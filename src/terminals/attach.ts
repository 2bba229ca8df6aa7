/** Brings a person's terminal to a window of tmux, and waits until they leave it again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../domain/environment.ts';
import { callTmux, refusal } from '../views/tmux/call.ts';
import { tmuxEnvironment } from '../views/tmux/environment.ts';
import type { TmuxViews } from '../views/tmux/tmux-views.ts';
import type { ViewWindow } from '../views/view.ts';

/** Without a window: to the session, at the window that was seen last. Rejects with `view.unavailable`. */
export async function attachTo(
  { session }: TmuxViews,
  window: ViewWindow | undefined,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const own = tmuxEnvironment(environment);
  const target = window === undefined ? `=${session}:` : `=${session}:${window.id}`;
  if (await isInsideOf(environment, own, session, signal)) {
    const args = ['switch-client', '-t', target];
    const { TMUX = '', TMUX_PANE = '' } = environment;
    const inside = { ...own, TMUX, TMUX_PANE };
    const answer = await callTmux(args, { environment: inside, signal });
    if ('refused' in answer) throw refusal(args, answer.refused);
    return;
  }
  const args = ['attach-session', '-t', target];
  const child = spawn('tmux', args, { stdio: 'inherit', env: own, signal });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw refusal(args, 'it ended at once; what it said is above');
}

/** A terminal inside another tmux than ours is attached as any other terminal is: only the same one can switch. */
async function isInsideOf(
  { TMUX }: Environment,
  own: Readonly<Record<string, string>>,
  session: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (TMUX === undefined || TMUX === '') return false;
  const args = ['display-message', '-p', '-t', `=${session}:`, '#{socket_path}'];
  const answer = await callTmux(args, { environment: own, signal });
  return 'printed' in answer && answer.printed.trim() === TMUX.split(',')[0];
}

/** Whether somebody looks at the window a process runs in, as the process itself can ask. */

import type { Environment } from '../../domain/environment.ts';
import { callTmux } from './call.ts';
import { tmuxEnvironment } from './environment.ts';

/** False also where it cannot be told: a window that cannot be asked about is nobody's. */
export async function isLookedAt(environment: Environment): Promise<boolean> {
  const { TMUX, TMUX_PANE } = environment;
  if (TMUX === undefined || TMUX_PANE === undefined) return false;
  const args = ['display-message', '-p', '-t', TMUX_PANE, '#{window_active_clients}'];
  const own = { ...tmuxEnvironment(environment), TMUX };
  const answer = await callTmux(args, { environment: own }).catch(() => ({ refused: '' }));
  return 'printed' in answer && Number(answer.printed) > 0;
}

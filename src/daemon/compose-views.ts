/** Which workers are shown in windows of tmux, and how those are opened, as the configuration says. */
import type { LegionFile } from '../config/legion/load.ts';
import type { LegionConfig } from '../config/legion/schema.ts';
import { type TmuxViewsOptions, tmuxViews } from '../views/tmux/tmux-views.ts';
import type { WantedViews } from './views.ts';

export interface ViewsOptions extends Pick<TmuxViewsOptions, 'launcher' | 'environment'> {
  /** Read anew at each use: a reload takes effect with the next worker. */
  readonly config: () => LegionConfig;
  readonly file: LegionFile;
}

export function wantedViews({ config, ...options }: ViewsOptions): WantedViews {
  const { legion, short_id } = config();
  return {
    wants(mode) {
      const { agents } = config();
      // Whoever works: a view belongs to the mode, not to its agent.
      return (agents[mode]?.view ?? agents.default.view) === 'tmux';
    },
    views: tmuxViews({ ...options, legion, shortId: short_id }),
  };
}

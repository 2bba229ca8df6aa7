/** One page of the dashboard: its address and its entry in the sidebar. */
import type { ComponentType } from 'react';
import type { IconName } from '../components/icon.tsx';

export interface PageRoute {
  readonly pattern: string;
  readonly page: ComponentType;
  /** Entry in the sidebar. `key` is the second key of its shortcut, after `g`. */
  readonly nav?: { readonly label: string; readonly icon: IconName; readonly key: string };
}

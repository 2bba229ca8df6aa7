/** Every page of the dashboard. All but the board load when they are opened. */
import type { ComponentType } from 'react';
import type { IconName } from './components/icon.tsx';
import { BoardPage } from './pages/board/page.tsx';
import { lazyPage } from './router/lazy-page.ts';

export interface Route {
  readonly pattern: string;
  readonly page: ComponentType;
  /** In the sidebar, with the second key of its shortcut `g …`. */
  readonly nav?: { readonly says: string; readonly icon: IconName; readonly key: string };
}

const InboxPage = lazyPage(async () => (await import('./pages/inbox/page.tsx')).InboxPage);
const FleetPage = lazyPage(async () => (await import('./pages/fleet/page.tsx')).FleetPage);
const IssuePage = lazyPage(async () => (await import('./pages/issue/page.tsx')).IssuePage);

export const ROUTES: readonly Route[] = [
  { pattern: '/', page: BoardPage, nav: { says: 'Board', icon: 'board', key: 'b' } },
  { pattern: '/inbox', page: InboxPage, nav: { says: 'Inbox', icon: 'inbox', key: 'i' } },
  { pattern: '/fleet', page: FleetPage, nav: { says: 'Fleet', icon: 'fleet', key: 'f' } },
  { pattern: '/issues/:id', page: IssuePage },
];

/** Every page of the dashboard. All pages except the board are loaded when they are opened. */
import { BoardPage } from './pages/board/page.tsx';
import { createLazyPage } from './router/lazy-page.ts';
import type { PageRoute } from './router/page-route.ts';

const InboxPage = createLazyPage(async () => (await import('./pages/inbox/page.tsx')).InboxPage);
const FleetPage = createLazyPage(async () => (await import('./pages/fleet/page.tsx')).FleetPage);
const IssuePage = createLazyPage(async () => (await import('./pages/issue/page.tsx')).IssuePage);

export const ROUTES: readonly PageRoute[] = [
  { pattern: '/', page: BoardPage, nav: { label: 'Board', icon: 'board', key: 'b' } },
  { pattern: '/inbox', page: InboxPage, nav: { label: 'Inbox', icon: 'inbox', key: 'i' } },
  { pattern: '/fleet', page: FleetPage, nav: { label: 'Fleet', icon: 'fleet', key: 'f' } },
  { pattern: '/issues/:id', page: IssuePage },
];

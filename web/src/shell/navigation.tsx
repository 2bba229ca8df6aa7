/** The ways between pages: a sidebar where there is room, a bar at the bottom on a phone. */

import { Link, useLocation } from 'wouter';
import { useWaiting } from '../attention/attention.tsx';
import { Icon } from '../components/icon.tsx';
import { useShortcut } from '../keys/shortcuts.tsx';
import { go } from '../router/location.ts';
import { ROUTES, type Route } from '../routes.tsx';

export function Navigation() {
  return (
    <nav className="nav" aria-label="Pages">
      {ROUTES.map((route) =>
        route.nav === undefined ? null : <Entry key={route.pattern} route={route} nav={route.nav} />,
      )}
    </nav>
  );
}

interface EntryProps {
  readonly route: Route;
  readonly nav: NonNullable<Route['nav']>;
}

function Entry({ route: { pattern }, nav: { says, icon, key } }: EntryProps) {
  const [path] = useLocation();
  const waiting = useWaiting();
  useShortcut({ keys: `g ${key}`, says, group: 'Go to', run: () => go(pattern) });
  const count = pattern === '/inbox' ? waiting : 0;
  const isHere = path === pattern || (pattern === '/' && path.startsWith('/issues/'));
  return (
    <Link to={pattern} className="nav-entry" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} size={18} />
      <span>{says}</span>
      {count > 0 && (
        <span className="nav-count">
          {count}
          <span className="unseen"> waiting for you</span>
        </span>
      )}
    </Link>
  );
}

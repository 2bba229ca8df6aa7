/** The address that opens the dashboard in a browser that is not logged in: good for one minute and one use. */
import { issueEndpoints } from '../protocol/endpoints/issues.ts';
import { sessionEndpoints } from '../protocol/endpoints/session.ts';
import type { DaemonClient } from './daemon-client.ts';
import { parseIssueId } from './parse-names.ts';

export interface DashboardAddress {
  readonly url: string;
  readonly expiresAt: number;
}

const PAGES: Readonly<Record<string, string>> = { board: '/ui/', inbox: '/ui/inbox', fleet: '/ui/fleet' };

/** `page` is the name of one, or an issue; one that is on no board is refused here, where it can be typed again. */
export async function pageNamed(daemon: DaemonClient, page: string): Promise<string> {
  const word = page.toLowerCase();
  if (Object.hasOwn(PAGES, word)) return PAGES[word] ?? '';
  const { issue } = await daemon.call(issueEndpoints.show, { params: { id: parseIssueId(page) } });
  return `/ui/issues/${encodeURIComponent(issue.id)}`;
}

/** Behind the `#`: a browser sends that to no server, and the page takes it out of the address at once. */
export async function dashboardAddress(daemon: DaemonClient, path: string): Promise<DashboardAddress> {
  const { code, expiresAt } = await daemon.call(sessionEndpoints.createCode);
  return { url: `${daemon.file.url}${path}#enter=${encodeURIComponent(code)}`, expiresAt };
}

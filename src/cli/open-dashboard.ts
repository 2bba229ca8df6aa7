/** Opens the dashboard in the browser, logged in, or gives the address that does so. */
import { LegionError } from '../core/model/fault.ts';
import { buildPages } from './build-pages.ts';
import type { CommandContext } from './command.ts';
import type { DaemonClient } from './daemon-client.ts';
import { type DashboardAddress, dashboardAddress } from './dashboard-address.ts';
import { openBrowser } from './open-browser.ts';
import { withProgress } from './present/progress.ts';
import { safeText } from './present/safe.ts';

/** Said wherever the address is printed. */
export const ONCE = 'good for one minute and one use';

export interface Opened extends DashboardAddress {
  /** A browser has it; else somebody has to be told the address. */
  readonly opened: boolean;
}

export async function openDashboard(
  daemon: DaemonClient,
  path: string,
  mayOpen: boolean,
  context: CommandContext,
): Promise<Opened> {
  // First of all: without a daemon there is nothing to build anything for.
  void daemon.file;
  await bringUpToDate(context);
  const address = await dashboardAddress(daemon, path);
  const opened = mayOpen && (await openBrowser(address.url, context.env, process.platform));
  return { ...address, opened };
}

/** A dashboard that cannot be built is no reason not to open what there is: the page says so, too. */
async function bringUpToDate(context: CommandContext): Promise<void> {
  const { env, signal, stderr } = context;
  try {
    await withProgress(context, 'building the dashboard', () => buildPages(env, signal));
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    stderr.write(`legion: ${safeText(error.message)} [${error.code}]\n${safeText(error.fault.next)}\n`);
  }
}

/** Tests the page while its daemon is killed and restarted, without any click or login. */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { startDaemonProcess } from '../../support/running-process.ts';
import { findCard, setUpDashboard } from './dashboard-legion.ts';
import { openDashboard } from './visit.ts';

const FIRST = { title: 'There before', status: 'Icebox' };
const SECOND = { title: 'Added after', status: 'Icebox' };

describe.runIf(chromiumPath !== undefined)('a page whose daemon crashes', () => {
  const suite = setUpDashboard({ isStopped: true });

  test('reports that it is reconnecting, and continues with the next daemon, still logged in', async () => {
    const { legion } = suite;
    legion.reconfigure(`port: ${await freePort()}\n`);
    let daemon = await startDaemonProcess(legion);
    try {
      const { id } = await daemon.post<{ id: string }>('/issues', FIRST);
      await using visit = await openDashboard(suite.browser, daemon, '/ui/');
      const { page } = visit;
      await findCard(page, 'Icebox', id).waitFor();
      await page.evaluate('window.sameDocument = true');
      const before = await page.context().cookies();

      await daemon.kill();
      await page.getByText('Reconnecting.').waitFor();
      // Existing content stays visible.
      await findCard(page, 'Icebox', id).waitFor();

      const { url } = daemon;
      daemon = await startDaemonProcess(legion);
      expect(daemon.url).toBe(url);
      await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
      const added = await daemon.post<{ id: string }>('/issues', SECOND);
      await findCard(page, 'Icebox', added.id).waitFor();
      expect(await page.evaluate('window.sameDocument')).toBe(true);
      expect(await page.context().cookies()).toEqual(before);
    } finally {
      await daemon.stop();
    }
  });

  test('reports that the daemon is down if the user opens another page, and shows that page once the next daemon is running', async () => {
    const { legion } = suite;
    legion.reconfigure(`port: ${await freePort()}\n`);
    let daemon = await startDaemonProcess(legion);
    try {
      await using visit = await openDashboard(suite.browser, daemon, '/ui/');
      const { page } = visit;
      await page.getByRole('link', { name: 'Fleet' }).waitFor();
      await daemon.kill();
      await page.getByRole('link', { name: 'Fleet' }).click();
      await page.getByRole('heading', { name: 'The daemon is not running' }).waitFor();

      daemon = await startDaemonProcess(legion);
      await page.getByRole('region', { name: 'Capacity' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/ui/fleet');
    } finally {
      await daemon.stop();
    }
  });
});

/**
 * Returns a port that was free a moment ago. Both daemons must use the same port, because a page
 * identifies its daemon by the port.
 */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return address.port;
}

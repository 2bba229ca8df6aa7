/** The page while its daemon is killed and started again: nobody clicks, nobody logs in again. */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { startApart } from '../../support/running-process.ts';
import { cardIn, stage } from './dashboard-legion.ts';
import { enter } from './visit.ts';

const FIRST = { title: 'There before', status: 'Icebox' };
const SECOND = { title: 'Added after', status: 'Icebox' };

describe.runIf(chromiumPath !== undefined)('a page whose daemon dies', () => {
  const house = stage({ isDark: true });

  test('says that it reconnects, and goes on by itself with the next daemon, still logged in', async () => {
    const { legion } = house;
    legion.reconfigure(`port: ${await freePort()}\n`);
    let daemon = await startApart(legion);
    try {
      const { id } = await daemon.post<{ id: string }>('/issues', FIRST);
      await using visit = await enter(house.browser, daemon, '/ui/');
      const { page } = visit;
      await cardIn(page, 'Icebox', id).waitFor();
      await page.evaluate('window.sameDocument = true');
      const before = await page.context().cookies();

      await daemon.kill();
      await page.getByText('Reconnecting.').waitFor();
      // What was there stays in sight.
      await cardIn(page, 'Icebox', id).waitFor();

      const { url } = daemon;
      daemon = await startApart(legion);
      expect(daemon.url).toBe(url);
      await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
      const added = await daemon.post<{ id: string }>('/issues', SECOND);
      await cardIn(page, 'Icebox', added.id).waitFor();
      expect(await page.evaluate('window.sameDocument')).toBe(true);
      expect(await page.context().cookies()).toEqual(before);
    } finally {
      await daemon.stop();
    }
  });

  test('waits on a page it had not loaded yet, and opens it with the next daemon', async () => {
    const { legion } = house;
    legion.reconfigure(`port: ${await freePort()}\n`);
    let daemon = await startApart(legion);
    try {
      await using visit = await enter(house.browser, daemon, '/ui/');
      const { page } = visit;
      await page.getByRole('link', { name: 'Fleet' }).waitFor();
      await daemon.kill();
      await page.getByRole('link', { name: 'Fleet' }).click();
      await page.getByRole('heading', { name: 'The daemon is not running' }).waitFor();

      daemon = await startApart(legion);
      await page.getByRole('region', { name: 'Capacity' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/ui/fleet');
    } finally {
      await daemon.stop();
    }
  });
});

/** Free a moment ago: a page knows its daemon by the port, so the next one must get the same. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return address.port;
}

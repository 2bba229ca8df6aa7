/** `legion status` shows what still runs, also on an issue that is closed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEALTH, STATE } from './answers.ts';
import { newHome, writeLegionFile } from './home.ts';
import { perform } from './in-process.ts';
import { openWireDaemon, type WireDaemon } from './wire-daemon.ts';

const home = newHome();
const closed = { ...STATE, status: 'terminal', workerMode: 'plan', hasLiveWorker: false };

let daemon: WireDaemon;
beforeAll(async () => {
  writeLegionFile(home.repository);
  daemon = await openWireDaemon(home.state, {
    'GET /health': HEALTH,
    'GET /inbox': [],
    'GET /workers': [],
    'POST /state/fetch-and-collect': {
      issues: {
        'SHOP-7': { ...closed, id: 'SHOP-7', workerStatus: 'stopped', isWorkerStopping: true },
        'SHOP-8': { ...closed, id: 'SHOP-8', workerStatus: 'executing', hasLiveWorker: true },
        'SHOP-9': { ...closed, id: 'SHOP-9', workerStatus: 'stopped' },
      },
      at: 1,
    },
  });
});
afterAll(async () => {
  await daemon.close();
  home.remove();
});

test('a closed issue is listed while its worker runs or is being stopped', async () => {
  const { out } = await perform({ cwd: home.repository, env: home.env }, 'status');
  expect(out).toMatch(/SHOP-7 .*plan stopping/);
  expect(out).toMatch(/SHOP-8 .*plan executing/);
  expect(out).not.toContain('SHOP-9');
});

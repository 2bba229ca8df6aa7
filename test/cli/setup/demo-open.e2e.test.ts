/** Tests that `legion demo --open` opens the dashboard in the browser before the demo begins. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { LAUNCHER } from '../../installed/launcher.ts';

/** A demo starts within seconds, but may take many times as long on a busy machine. */
const WITHIN_MS = 60_000;

const root = mkdtempSync(join(tmpdir(), 'legion-demo-open-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test(
  'the browser logs in with a code while the demo is running, and an interruption stops everything',
  async () => {
    const seen = join(root, 'seen');
    const program = join(root, 'browser.mjs');
    writeFileSync(
      program,
      `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync('${seen}-draft', process.argv[2]);
renameSync('${seen}-draft', '${seen}');`,
    );
    const env = { ...process.env, BROWSER: `${process.execPath} ${program}` };
    const args = [LAUNCHER, 'demo', '--open', '--folder', join(root, 'demo')];
    const demo = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    demo.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const ended = once(demo, 'close');
    while (!existsSync(seen) && demo.exitCode === null) await sleep(50);

    const address = new URL(readFileSync(seen, 'utf8'));
    const answer = await fetch(new URL('/session', address), {
      method: 'POST',
      headers: { origin: address.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code: address.hash.replace('#enter=', '') }),
    });
    expect(answer.status).toBe(201);
    demo.kill('SIGINT');
    await ended;
    expect(said).toContain('opened the dashboard in your browser');
    await expect(fetch(address)).rejects.toThrow();
  },
  WITHIN_MS,
);

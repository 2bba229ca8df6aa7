/** Opens an address in the user's browser: by a program with arguments, never through a shell. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../domain/environment.ts';

/** A program that hands the address on ends at once; one that is the browser itself goes on, and is let go. */
const HANDED_ON_MS = 3_000;

/** Resolves to whether one was found that took it. */
export async function openBrowser(address: string, env: Environment, platform: string): Promise<boolean> {
  for (const [program = '', ...args] of openers(address, env, platform)) {
    if (await took(program, args, env)) return true;
  }
  return false;
}

/** Command lines to try, the user's own first. Empty where there is no screen to open anything on. */
export function openers(address: string, env: Environment, platform: string): readonly (readonly string[])[] {
  const { BROWSER = '', DISPLAY = '', WAYLAND_DISPLAY = '' } = env;
  if (BROWSER.trim() !== '') {
    // Several, as is the custom; `%s` stands for the address, which else comes last.
    return BROWSER.split(':').flatMap((line) => {
      const words = line.split(/\s+/).filter((word) => word !== '');
      if (words.length === 0) return [];
      const hasPlace = words.includes('%s');
      return [hasPlace ? words.map((word) => (word === '%s' ? address : word)) : [...words, address]];
    });
  }
  if (platform === 'darwin') return [['open', address]];
  return DISPLAY === '' && WAYLAND_DISPLAY === '' ? [] : [['xdg-open', address]];
}

async function took(program: string, args: readonly string[], env: Environment): Promise<boolean> {
  // A session of its own: closing the terminal closes no browser. What it prints is not ours to show.
  const child = spawn(program, args, { env, detached: true, stdio: 'ignore' });
  const waiting = AbortSignal.timeout(HANDED_ON_MS);
  try {
    const [code] = await once(child, 'exit', { signal: waiting });
    return code === 0;
  } catch {
    // It is still there, which is good, or it never was.
    return waiting.aborted && child.pid !== undefined;
  } finally {
    child.unref();
  }
}

/** Starts the real `legion` command and collects what it says. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, '../../bin/legion.js');

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function legion(...args: string[]): Promise<Said> {
  // NO_COLOR: what is compared is the text.
  const env = { ...process.env, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [LAUNCHER, ...args], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

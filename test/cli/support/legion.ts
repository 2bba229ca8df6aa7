/** Runs the real `legion` command and collects its output. */
import { execFile } from 'node:child_process';
import { LAUNCHER } from '../../installed/launcher.ts';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

export function legion(...args: string[]): Promise<Said> {
  return legionIn({}, ...args);
}

export function legionIn({ cwd, env = {}, input }: Surroundings, ...args: string[]): Promise<Said> {
  // Sets NO_COLOR, because tests compare plain text.
  const environment = { ...process.env, NO_COLOR: '1', ...env };
  return new Promise((resolve) => {
    const options = { cwd, env: environment };
    const child = execFile(process.execPath, [LAUNCHER, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

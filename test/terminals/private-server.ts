/**
 * A private tmux server. Its socket is in the test's directory, so that the test never uses a
 * person's own server.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const GONE_WITHIN_MS = 10_000;

export interface PrivateServer {
  /** The test's directory, which is removed with the server. */
  readonly folder: string;
  /** The variable that points tmux to this server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs tmux and returns its output. If tmux fails, throws an error with its error output. */
  tmux(...args: string[]): string;
  /** `session:window` of every window. Empty if no server is running. */
  windows(): readonly string[];
  /** The content of a window, with its history. */
  screen(window: string): string;
  shows(window: string, words: string): Promise<string>;
  /** Ends the server. Resolves when all processes in its windows have exited. */
  end(): Promise<void>;
  dispose(): Promise<void>;
}

export function privateServer(): PrivateServer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-tmux-')));
  const { PATH = '' } = process.env;
  const environment = { TMUX_TMPDIR: folder, LANG: 'C.UTF-8' };

  function tmux(...args: string[]): string {
    const env = { PATH, HOME: folder, TERM: 'xterm-256color', ...environment };
    return execFileSync('tmux', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
  function listed(what: string[]): readonly string[] {
    try {
      return tmux(...what)
        .split('\n')
        .filter(Boolean);
    } catch {
      return []; // no server is running
    }
  }
  const screen = (window: string) => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', window);

  async function end(): Promise<void> {
    const pids = listed(['list-panes', '-a', '-F', '#{pane_pid}']).map(Number);
    listed(['kill-server']);
    for (const until = performance.now() + GONE_WITHIN_MS; pids.some(isThere); await sleep(20))
      if (performance.now() > until)
        throw new Error(`still running in a window: ${pids.filter(isThere).join(', ')}`);
  }

  return {
    folder,
    environment,
    tmux,
    screen,
    end,
    windows: () => listed(['list-windows', '-a', '-F', '#{session_name}:#{window_name}']),
    async shows(window, words) {
      let seen = '';
      for (const until = performance.now() + 20_000; performance.now() < until; await sleep(50)) {
        seen = screen(window);
        if (seen.includes(words)) return seen;
      }
      throw new Error(`${window} never showed ${words}:\n${seen}`);
    },
    async dispose() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isThere(pid: number): boolean {
  try {
    return !/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, ''));
  } catch {
    return false;
  }
}

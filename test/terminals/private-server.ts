/** A tmux server of a test's own: its socket lies in a folder of the test, so no server of a person is ever asked. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const GONE_WITHIN_MS = 10_000;

export interface PrivateServer {
  /** Goes with the server. */
  readonly folder: string;
  /** The variable that leads every tmux that is given it to this server. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints; rejects with what it complains about. */
  tmux(...args: string[]): string;
  /** `session:window` of every window; empty where no server runs. */
  windows(): readonly string[];
  /** What a window shows, with its history. */
  screen(window: string): string;
  shows(window: string, words: string): Promise<string>;
  /** Ends the server; what ran in its windows is gone when this resolves. */
  end(): Promise<void>;
  dispose(): Promise<void>;
}

export function privateServer(): PrivateServer {
  refuseWithoutTmux();
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
      return []; // no server runs
    }
  }
  const screen = (window: string) => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', window);

  async function end(): Promise<void> {
    const pids = listed(['list-panes', '-a', '-F', '#{pane_pid}']).map(Number);
    listed(['kill-server']);
    for (const until = performance.now() + GONE_WITHIN_MS; pids.some(isThere); await sleep(20))
      if (performance.now() > until) throw new Error(`still in a window: ${pids.filter(isThere).join(', ')}`);
  }

  return {
    ...{ folder, environment, tmux, screen, end },
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

function refuseWithoutTmux(): void {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
  } catch {
    throw new Error('these tests need tmux 3.2 or newer on the PATH (Debian: apt-get install tmux)');
  }
}

function isThere(pid: number): boolean {
  try {
    return !/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, ''));
  } catch {
    return false;
  }
}

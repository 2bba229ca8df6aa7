/** Runs a command at a real pseudo-terminal and answers its questions by typing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LAUNCHER } from '../../installed/launcher.ts';
import type { Home } from './home.ts';

const WAIT_MS = 20_000;

export interface Terminal {
  readonly exited: Promise<number>;
  output(): string;
  /**
   * Waits until the question has been shown `times` times, then types the answer and presses Enter.
   */
  type(question: string, answer: string, times?: number): Promise<void>;
  /** Waits until the question has been shown, then presses the key. */
  press(question: string, key: string): Promise<void>;
}

/** `script` gives the command its own terminal. */
export function startAtTerminal(home: Home, command: string): Terminal {
  const line = `stty cols 100 rows 40; exec ${process.execPath} ${LAUNCHER} ${command}`;
  const [program, ...args] = ['script', '-qfec', `sh -c '${line}'`, '/dev/null'] as const;
  const child = spawn(program, args, {
    cwd: home.repository,
    env: { ...process.env, ...home.env, TERM: 'xterm', NO_COLOR: '1' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const exited = once(child, 'close').then(([code]) => Number(code));
  const output = () => text;
  return {
    exited,
    output,
    async type(question, answer, times = 1) {
      await waitUntilShown(question, times);
      // Ctrl-U clears the proposed amount. If the answer is empty, the proposed amount is kept.
      child.stdin.write(answer === '' ? '\r' : `\u0015${answer}\r`);
    },
    async press(question, key) {
      await waitUntilShown(question, 1);
      child.stdin.write(key);
    },
  };

  async function waitUntilShown(question: string, times: number): Promise<void> {
    const end = Date.now() + WAIT_MS;
    while (text.split(question).length <= times) {
      if (Date.now() > end) throw new Error(`"${question}" was never shown: ${text}`);
      await sleep(10);
    }
  }
}

/** Watches a started process: waits for its output and its exit. */
import type { ChildProcess } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Watched {
  readonly child: ChildProcess;
  /** Resolves to all output so far, once it contains `words`. */
  says(words: string): Promise<string>;
  /** Resolves when the process has exited and its output is closed. */
  readonly end: Promise<Ended>;
  /** Resolves when the process has exited. */
  readonly exit: Promise<void>;
}

export function watched(child: ChildProcess): Watched {
  let out = '';
  let err = '';
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const says = (words: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!out.includes(words)) return;
        child.stdout?.off('data', look);
        resolve(out);
      };
      child.stdout?.on('data', look);
      look();
      void end.then(() => reject(new Error(`the process exited without printing ${words}: ${out}${err}`)));
    });
  return { child, says, end, exit };
}

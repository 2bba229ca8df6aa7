/**
 * Runs a command line in this process with separate streams, to save the cost of starting a
 * process.
 */
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../../src/cli/main.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import { LegionError } from '../../../src/core/model/fault.ts';

export interface Outcome {
  readonly exit: number | undefined;
  readonly out: string;
  readonly err: string;
  /** The error with which the command failed. */
  readonly error: LegionError | undefined;
}

export interface Circumstances {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Width of the terminal. If set, the output is treated as a terminal. */
  readonly columns?: number;
}

export async function perform(circumstances: Circumstances, ...argv: string[]): Promise<Outcome> {
  const { cwd, env, input = '', signal = new AbortController().signal, columns } = circumstances;
  const stdout = Object.assign(collecting(), columns === undefined ? {} : { columns, isTTY: true });
  const stderr = collecting();
  const context: CommandContext = {
    cwd,
    env,
    signal,
    stdout,
    stderr,
    stdin: Readable.from([Buffer.from(input)]),
  };
  const result = await runCommand(argv, context).then(
    (exit) => ({ exit, error: undefined }),
    (error: unknown) => {
      if (error instanceof LegionError) return { exit: undefined, error };
      throw error;
    },
  );
  return { ...result, out: stdout.text(), err: stderr.text() };
}

function collecting(): Writable & { text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString() });
}

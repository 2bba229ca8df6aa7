/** Runs a command line in this process, with streams of its own: what a process start costs is saved where it shows nothing. */
import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../../src/cli/command.ts';
import { runCommand } from '../../../src/cli/program/run-command.ts';
import { LegionError } from '../../../src/core/model/fault.ts';

export interface Outcome {
  readonly exit: number | undefined;
  readonly out: string;
  readonly err: string;
  /** What it rejected with. */
  readonly error: LegionError | undefined;
}

export interface Circumstances {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Of a terminal, which then also shows the output. */
  readonly columns?: number;
}

export async function perform(circumstances: Circumstances, ...argv: string[]): Promise<Outcome> {
  const { cwd, env, input = '', signal = new AbortController().signal, columns } = circumstances;
  const stdout = Object.assign(collecting(), columns === undefined ? {} : { columns, isTTY: true });
  const stderr = collecting();
  const context: CommandContext = {
    ...{ cwd, env, signal, stdout, stderr },
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

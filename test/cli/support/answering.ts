/** Plays the person at a terminal: answers each question of a command once the question appears. */
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../../src/cli/main.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';

/** Arrow key that selects the next choice. */
export const DOWN = '\u001b[B';

const LOOK_EVERY_MS = 5;
/**
 * Number of times to check for the next question, over ten seconds in total. A command that first
 * contacts other services takes 1 to 2 s on a busy machine.
 */
const LOOKS = 2_000;

/** Types the keys and Enter for each question. Resolves to the exit code. */
export async function answering(
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
  argv: readonly string[],
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<number | undefined> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 120, rows: 40 });
  let text = '';
  stdout.on('data', (chunk) => {
    text += chunk;
  });
  const context: CommandContext = {
    cwd,
    env,
    stdin,
    stdout,
    stderr: new PassThrough(),
    signal: new AbortController().signal,
  };
  const done = runCommand(argv, context);
  for (const [question, keys] of answers) {
    for (let look = 0; !text.includes(question); look += 1) {
      if (look > LOOKS) throw new Error(`never asked: ${question}\n${text}`);
      await sleep(LOOK_EVERY_MS);
    }
    if (keys !== '') stdin.write(keys);
    stdin.write('\r');
  }
  return done;
}

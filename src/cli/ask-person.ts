/** Asks whoever sits at the terminal; nobody is asked where there is none. */
import { LegionError } from '../core/model/fault.ts';
import type { CommandContext } from './command.ts';

const NOTHING_WRITTEN = 'nothing was written';

export function isInteractive({ stdin, stdout }: CommandContext): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Undefined where somebody left with Ctrl-C or Escape instead. */
export async function confirmed(
  context: CommandContext,
  message: string,
  initial: boolean,
): Promise<boolean | undefined> {
  const { confirm } = await import('@clack/prompts');
  const answer = await askUntilLeft(context, (streams) =>
    confirm({ ...streams, message, initialValue: initial }),
  );
  return typeof answer === 'boolean' ? answer : undefined;
}

/** `unanswered`: what the error says to a person who leaves without an answer. */
export async function typed(
  context: CommandContext,
  message: string,
  initial: string,
  complaint: (text: string) => string | undefined,
  unanswered = NOTHING_WRITTEN,
): Promise<string> {
  const { text } = await import('@clack/prompts');
  const answer = await askUntilLeft(context, (streams) =>
    text({
      ...streams,
      message,
      initialValue: initial,
      validate: (value) => complaint(value ?? ''),
    }),
  );
  return requireAnswer(answer, unanswered);
}

/** `unanswered`: what the error says to a person who leaves without an answer. */
export async function chosen<const T extends string>(
  context: CommandContext,
  message: string,
  choices: readonly Choice<T>[],
  initial: T,
  unanswered = NOTHING_WRITTEN,
): Promise<T> {
  const { select } = await import('@clack/prompts');
  // Its option type is a conditional one that no generic value can be shown to fit; the values are ours.
  const options = choices.map((choice) => ({ ...choice, value: choice.value as string }));
  const given = await askUntilLeft(context, (streams) =>
    select<string>({ ...streams, message, options, initialValue: initial }),
  );
  const answer = requireAnswer(given, unanswered);
  return choices.find(({ value }) => value === answer)?.value ?? initial;
}

/** Cancels the question on Ctrl-D, too: it only pauses the input, and the question would wait for ever. */
async function askUntilLeft<T>(
  { stdin, stdout, signal }: CommandContext,
  ask: (streams: QuestionStreams) => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  let pending: NodeJS.Immediate | undefined;
  // An answer pauses the input as well, right before it is given.
  const onPause = () => {
    pending ??= setImmediate(() => leaving.abort());
  };
  stdin.on('pause', onPause);
  try {
    return await ask({ input: stdin, output: stdout, signal: AbortSignal.any([signal, leaving.signal]) });
  } finally {
    stdin.off('pause', onPause);
    clearImmediate(pending);
  }
}

interface QuestionStreams {
  readonly input: CommandContext['stdin'];
  readonly output: CommandContext['stdout'];
  readonly signal: AbortSignal;
}

function requireAnswer(answer: string | symbol, unanswered: string): string {
  if (typeof answer === 'string') return answer;
  throw new LegionError('usage.cancelled', unanswered);
}

/** For questions that nothing can go on without. */
export function cancelled(): LegionError {
  return new LegionError('usage.cancelled', NOTHING_WRITTEN);
}

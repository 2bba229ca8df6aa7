/** Prompts the person at an interactive terminal. */
import { LegionError } from '../core/model/fault.ts';
import type { CommandContext } from './program/define-command.ts';

const NOTHING_WRITTEN_MESSAGE = 'Nothing was written.';

export function isInteractive({ stdin, stdout }: CommandContext): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

export interface PromptChoice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Resolves to undefined if the person cancels with Ctrl-C or Escape. */
export async function askConfirmation(
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

/** `cancelMessage` is the text of the error that is thrown if the person cancels the question. */
export async function askText(
  context: CommandContext,
  message: string,
  initial: string,
  validate: (text: string) => string | undefined,
  cancelMessage = NOTHING_WRITTEN_MESSAGE,
): Promise<string> {
  const { text } = await import('@clack/prompts');
  const answer = await askUntilLeft(context, (streams) =>
    text({
      ...streams,
      message,
      initialValue: initial,
      validate: (value) => validate(value ?? ''),
    }),
  );
  return requireAnswer(answer, cancelMessage);
}

/** `cancelMessage` is the text of the error that is thrown if the person cancels the question. */
export async function askChoice<const T extends string>(
  context: CommandContext,
  message: string,
  choices: readonly PromptChoice<T>[],
  initial: T,
  cancelMessage = NOTHING_WRITTEN_MESSAGE,
): Promise<T> {
  const { select } = await import('@clack/prompts');
  // Cast to string, because the option type of `select` is conditional and TypeScript cannot check
  // a generic value against it.
  const options = choices.map((choice) => ({ ...choice, value: choice.value as string }));
  const selected = await askUntilLeft(context, (streams) =>
    select<string>({ ...streams, message, options, initialValue: initial }),
  );
  const answer = requireAnswer(selected, cancelMessage);
  return choices.find(({ value }) => value === answer)?.value ?? initial;
}

/**
 * Asks a question and makes Ctrl-D cancel it as well. Without this, Ctrl-D would only pause the
 * input, and the question would wait forever.
 */
async function askUntilLeft<T>(
  { stdin, stdout, signal }: CommandContext,
  ask: (streams: QuestionStreams) => Promise<T>,
): Promise<T> {
  const inputClosed = new AbortController();
  let pending: NodeJS.Immediate | undefined;
  // Submitting an answer also pauses the input, just before the answer resolves. The abort is
  // deferred so that the answer wins in that case.
  const onPause = () => {
    pending ??= setImmediate(() => inputClosed.abort());
  };
  stdin.on('pause', onPause);
  try {
    return await ask({ input: stdin, output: stdout, signal: AbortSignal.any([signal, inputClosed.signal]) });
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

function requireAnswer(answer: string | symbol, cancelMessage: string): string {
  if (typeof answer === 'string') return answer;
  throw new LegionError('usage.cancelled', cancelMessage);
}

/**
 * Returns the error to throw if the person cancels a question that the command cannot proceed
 * without.
 */
export function createCancelledError(): LegionError {
  return new LegionError('usage.cancelled', NOTHING_WRITTEN_MESSAGE);
}

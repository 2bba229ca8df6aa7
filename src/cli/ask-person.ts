/** Asks whoever sits at the terminal; nobody is asked where there is none. */
import { LegionError } from '../domain/fault.ts';
import type { CommandContext } from './command.ts';

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
  const answer = await confirm({ ...streams(context), message, initialValue: initial });
  return typeof answer === 'boolean' ? answer : undefined;
}

export async function typed(
  context: CommandContext,
  message: string,
  initial: string,
  complaint: (text: string) => string | undefined,
): Promise<string> {
  const { text } = await import('@clack/prompts');
  const answer = await text({
    ...streams(context),
    message,
    initialValue: initial,
    validate: (value) => complaint(value ?? ''),
  });
  return left(answer);
}

export async function chosen<const T extends string>(
  context: CommandContext,
  message: string,
  choices: readonly Choice<T>[],
  initial: T,
): Promise<T> {
  const { select } = await import('@clack/prompts');
  // Its option type is a conditional one that no generic value can be shown to fit; the values are ours.
  const options = choices.map((choice) => ({ ...choice, value: choice.value as string }));
  const answer = left(await select<string>({ ...streams(context), message, options, initialValue: initial }));
  return choices.find(({ value }) => value === answer)?.value ?? initial;
}

function streams({ stdin, stdout, signal }: CommandContext) {
  return { input: stdin, output: stdout, signal };
}

function left(answer: string | symbol): string {
  if (typeof answer === 'string') return answer;
  throw cancelled();
}

/** For questions that nothing can go on without. */
export function cancelled(): LegionError {
  return new LegionError('usage.cancelled', 'nothing was written');
}

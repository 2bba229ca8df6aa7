/** Turns mistakes on a command line into `usage.invalid` errors that name the help to read next. */
import type { CommanderError } from '@commander-js/extra-typings';
import { type Fault, fault, LegionError } from '../../core/model/fault.ts';

/** Enough to recognise what was typed; the rest of a pasted text helps nobody. */
const MAX_MESSAGE_CHARS = 300;

export class UsageError extends LegionError {
  override readonly fault: Fault;

  /** `path`: the words of the command, such as `legion issue add`. */
  constructor(path: string, message: string, options: ErrorOptions = {}) {
    super('usage.invalid', message, options);
    this.fault = { ...fault('usage.invalid', message), next: `Run \`${path} --help\` to see how to use it.` };
  }
}

/** Gives an error of a command's own the same next step; other errors stay as they are. */
export function toUsageError(error: unknown, path: string): unknown {
  if (!(error instanceof LegionError) || error instanceof UsageError) return error;
  return error.code === 'usage.invalid' ? new UsageError(path, error.message, { cause: error }) : error;
}

export function describeCommanderError({ message }: CommanderError): string {
  const [problem = '', suggestion = ''] = message.replace(/^error: /, '').split(/\n\((?=Did you mean )/);
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(/\.?$/, '.');
  const text = escapeControls(`${sentence} ${suggestion.replace(/\)$/, '')}`.trim());
  return text.length <= MAX_MESSAGE_CHARS ? text : `${text.slice(0, MAX_MESSAGE_CHARS)}…`;
}

/** What was typed can neither move the cursor nor pretend to be a line of Legion's own. */
function escapeControls(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The examples at the end of a command's help. */
import { styleText } from 'node:util';

/** Text for `addHelpText('after', …)`; each line is something that a person could type. */
export function examples(...lines: readonly string[]): string {
  return ['', styleText('bold', 'Examples:'), ...lines.map((line) => `  ${line}`)].join('\n');
}

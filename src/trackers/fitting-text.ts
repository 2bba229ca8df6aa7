/** Text that a service takes: whole characters, and not too many of them. */
import { LegionError } from '../core/model/fault.ts';

/** Refuses what no service could keep as it is. */
export function requireWhole(text: string): void {
  if (!text.isWellFormed() || text.includes('\0'))
    throw new LegionError('input.invalid', 'text: holds a NUL or half a character');
}

/** At most `length` characters; what is cut says so in the name of the service. */
export function fitting(text: string, length: number, service: string): string {
  const cut = `\n\n… (cut: longer than ${service} takes)`;
  return text.length <= length ? text : `${cutAt(text, length - cut.length)}${cut}`;
}

/** Never within a character. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

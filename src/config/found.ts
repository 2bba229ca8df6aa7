/** A wrong value as a message may show it: recognisable, short, and never a secret. */
import { SHOWN_LENGTH, shown } from '../core/model/fault.ts';

export function found(value: unknown, secret = false): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return `${value}`;
  const hidden = secret || value.length > SHOWN_LENGTH;
  return hidden ? `a text of ${value.length} characters` : shown(value);
}

/** `repos[0].path`; a key may come from outside as well, so only one that is plainly a name is shown bare. */
export function keyPath(path: readonly PropertyKey[]): string {
  return path.map(step).join('').replace(/^\./, '');
}

function step(part: PropertyKey): string {
  if (typeof part === 'number') return `[${part}]`;
  const name = String(part);
  return name.length <= SHOWN_LENGTH && /^[\w-]+(?: [\w-]+)*$/.test(name) ? `.${name}` : `[${shown(name)}]`;
}

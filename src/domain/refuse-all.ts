/** The fault for a list of which nothing is usable: the first few complaints, and how many more there are. */
import { type Fault, fault } from '../core/model/fault.ts';

/** More help nobody. */
const MAX_SHOWN = 3;

export function refuseAll(rejected: readonly { readonly message: string }[]): Fault {
  const messages = rejected.slice(0, MAX_SHOWN).map(({ message }) => message);
  const hidden = rejected.length - messages.length;
  return fault('input.invalid', [...messages, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; '));
}

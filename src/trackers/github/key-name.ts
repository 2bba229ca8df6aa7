/** What a key of Legion's is called in a mark: the key itself where it is short, else its hash. */
import { createHash } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import { markName } from '../../github/mark.ts';

/** Characters that are written out; a longer key may hold the whole evidence of a decision. */
const WRITTEN_MAX = 200;

/** The same for the same key, and for no other. */
export function keyName(key: string): string {
  if (!key.isWellFormed() || key === '')
    throw new LegionError('input.invalid', 'key: is empty or holds half a character');
  const written = markName(key);
  // "#" is never left as it is by the encoding, so no key can be chosen to look like the hash of another.
  return written.length <= WRITTEN_MAX ? written : `#${createHash('sha256').update(key).digest('hex')}`;
}

/** Who sits at the keyboard, as the journal will name them. */
import { userInfo } from 'node:os';

/** The longest the wire takes. */
const NAME_MOST = 100;

export function operatorName(): string {
  try {
    return userInfo().username.slice(0, NAME_MOST) || 'operator';
  } catch {
    return 'operator'; // a container may run as a number without a name
  }
}

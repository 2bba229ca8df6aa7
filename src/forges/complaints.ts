/** Tells of what was set aside so that the rest could go on: once each, because the same at every poll would bury the others. */
import { type Fault, LegionError } from '../core/model/fault.ts';
import { unavailable } from './faults.ts';

export function complaints(
  who: string,
  tell: ((fault: Fault) => void) | undefined,
): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const { fault } = error instanceof LegionError ? error : unavailable(who, error);
    if (told.has(fault.message)) return;
    told.add(fault.message);
    tell?.(fault);
  };
}

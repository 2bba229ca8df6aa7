/** How long ago something was, with the moment itself for whoever rests the pointer on it. */

import { span } from '../../../src/domain/span.ts';
import { useNow } from '../clock/clock.tsx';
import { moment } from '../clock/words.ts';

interface TimeProps {
  readonly at: number;
  /** Said after the age: `ago`, or nothing where the sentence has it already. */
  readonly suffix?: string;
  /** Seen from there and not from now: on a page of the past. */
  readonly asOf?: number | undefined;
}

export function Time({ at, suffix = '', asOf }: TimeProps) {
  const words = useNow((now) => span((asOf ?? now) - at));
  return (
    <time className="time" dateTime={new Date(at).toISOString()} title={moment(at)}>
      {words}
      {suffix}
    </time>
  );
}

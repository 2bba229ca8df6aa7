/** When something was, or how long ago, with the moment itself for whoever rests the pointer on it. */

import { span } from '../../../src/domain/format.ts';
import { useNow } from '../clock/clock.tsx';
import { moment, time } from '../clock/words.ts';

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

/** Of a list whose day is known; `more` is said with the moment. */
export function TimeOfDay({ at, more = '' }: { readonly at: number; readonly more?: string }) {
  return (
    <time className="time faint" dateTime={new Date(at).toISOString()} title={moment(at) + more}>
      {time(at)}
    </time>
  );
}

/** Shows a time or an age, with the exact time as tooltip. */

import { formatDuration } from '../../../src/core/model/format.ts';
import { useNow } from '../clock/clock.tsx';
import { formatMoment, formatTime } from '../clock/format-time.ts';

interface TimeProps {
  readonly at: number;
  /** Text after the age. Either ` ago`, or empty if the surrounding sentence does not need it. */
  readonly suffix?: string;
  /** The past moment that a page shows, which is used instead of the current time. */
  readonly asOf?: number | undefined;
}

export function Time({ at, suffix = '', asOf }: TimeProps) {
  const text = useNow((now) => formatDuration((asOf ?? now) - at));
  return (
    <time className="time" dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {text}
      {suffix}
    </time>
  );
}

/** Shows a time of day, for lists that already show the day. `more` is appended to the tooltip. */
export function TimeOfDay({ at, more = '' }: { readonly at: number; readonly more?: string }) {
  return (
    <time className="time faint" dateTime={new Date(at).toISOString()} title={formatMoment(at) + more}>
      {formatTime(at)}
    </time>
  );
}

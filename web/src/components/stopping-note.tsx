/** How long a worker that is being stopped may still take. */
import { describeStopping, type Stopping } from '../../../src/domain/stopping.ts';
import { useNow } from '../clock/clock.tsx';
import { plain } from '../text/plain.ts';

interface StoppingNoteProps {
  readonly stopping: Stopping;
  /** Seen from there and not from now: on a page of the past. */
  readonly asOf?: number | undefined;
}

export function StoppingNote({ stopping, asOf }: StoppingNoteProps) {
  const words = useNow((now) => describeStopping(stopping, asOf ?? now, stopping.why));
  return <span dir="auto">{plain(words)}</span>;
}

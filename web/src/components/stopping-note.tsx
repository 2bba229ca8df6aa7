/** Shows how long a worker that is being stopped may still take. */
import { describePendingStop, type PendingStop } from '../../../src/core/model/lifecycle.ts';
import { useNow } from '../clock/clock.tsx';
import { toPlainText } from '../text/plain.ts';

interface StoppingNoteProps {
  readonly stopping: PendingStop;
  /** The past moment that a page shows, which is used instead of the current time. */
  readonly asOf?: number | undefined;
}

export function StoppingNote({ stopping, asOf }: StoppingNoteProps) {
  const text = useNow((now) => describePendingStop(stopping, asOf ?? now, stopping.why));
  return <span dir="auto">{toPlainText(text)}</span>;
}

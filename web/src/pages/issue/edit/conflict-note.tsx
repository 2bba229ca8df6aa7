/** Says that somebody else changed the same part of the issue meanwhile, shows what it says now, and lets the person choose. */
import { Button } from '../../../components/button.tsx';
import { plain } from '../../../text/plain.ts';

/** Enough to recognise what somebody else wrote. */
const SHOWN_CHARS = 400;

interface ConflictNoteProps {
  /** “title”, “text”. */
  readonly name: string;
  readonly theirs: string;
  onKeepMine(): void;
  onTakeTheirs(): void;
}

export function ConflictNote({ name, theirs, onKeepMine, onTakeTheirs }: ConflictNoteProps) {
  const short = theirs.length > SHOWN_CHARS ? `${theirs.slice(0, SHOWN_CHARS)} …` : theirs;
  return (
    <div className="conflict tone-warn" role="alert">
      <p>Someone else changed the {name} while you were editing. It is now:</p>
      <blockquote dir="auto">{short === '' ? <em>empty</em> : plain(short)}</blockquote>
      <div className="conflict-choice">
        <Button onClick={onKeepMine}>Keep my {name}</Button>
        <Button look="quiet" onClick={onTakeTheirs}>
          Use theirs
        </Button>
      </div>
    </div>
  );
}

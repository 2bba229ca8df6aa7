/**
 * Reports that someone else changed the same part of the issue, shows the current value, and lets
 * the person choose a value.
 */
import { Button } from '../../../components/button.tsx';
import { toPlainText } from '../../../text/plain.ts';

/** Maximum number of characters shown of the other person's text, enough to recognise it. */
const MAX_SHOWN_CHARACTERS = 400;

interface ConflictNoteProps {
  /** Name of the changed part, such as “title” or “text”. */
  readonly name: string;
  readonly theirs: string;
  onKeepMine(): void;
  onTakeTheirs(): void;
}

export function ConflictNote({ name, theirs, onKeepMine, onTakeTheirs }: ConflictNoteProps) {
  const short = theirs.length > MAX_SHOWN_CHARACTERS ? `${theirs.slice(0, MAX_SHOWN_CHARACTERS)} …` : theirs;
  return (
    <div className="conflict tone-warn" role="alert">
      <p>Someone else changed the {name} while you were editing. It is now:</p>
      <blockquote dir="auto">{short === '' ? <em>empty</em> : toPlainText(short)}</blockquote>
      <div className="conflict-choice">
        <Button onClick={onKeepMine}>Keep my {name}</Button>
        <Button variant="quiet" onClick={onTakeTheirs}>
          Use theirs
        </Button>
      </div>
    </div>
  );
}

/** What belongs to an item: not even asked for until it is unfolded. */
import { type ReactNode, useState } from 'react';

interface FoldedProps {
  readonly says: string;
  /** Unfolded from the beginning. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

export function Folded({ says, isOpen, children }: FoldedProps) {
  const [isUnfolded, setIsUnfolded] = useState(isOpen);
  return (
    <details
      className="inbox-fold"
      open={isUnfolded}
      onToggle={(event) => setIsUnfolded(event.currentTarget.open)}
    >
      <summary>{says}</summary>
      {isUnfolded && <div className="inbox-fold-content">{children}</div>}
    </details>
  );
}

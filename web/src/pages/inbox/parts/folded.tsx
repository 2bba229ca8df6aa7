/** A collapsible section of an item, loaded only once it is expanded. */
import { type ReactNode, useState } from 'react';

interface FoldedProps {
  readonly label: string;
  /** Whether it is expanded initially. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

export function Folded({ label, isOpen, children }: FoldedProps) {
  const [isUnfolded, setIsUnfolded] = useState(isOpen);
  return (
    <details
      className="inbox-fold"
      open={isUnfolded}
      onToggle={(event) => setIsUnfolded(event.currentTarget.open)}
    >
      <summary>{label}</summary>
      {isUnfolded && <div className="inbox-fold-content">{children}</div>}
    </details>
  );
}

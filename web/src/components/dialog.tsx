/** A dialog, by the browser's own element: it holds the focus, gives it back, and closes by Escape. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  onClose(): void;
  readonly children: ReactNode;
  /** Buttons at the bottom, the main one last. */
  readonly actions?: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the next picture, and before the element is taken away: a dialog gives the focus back when it is closed, not when it is removed.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null || !isOpen) return;
    dialog.showModal();
    return () => dialog.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The page's own state closes it: between an element that has closed and a state that has not, opening it again would come to nothing.
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // This comes late: one that was closed by us may have been opened again for another question.
        if (isOpen && !currentTarget.open) onClose();
      }}
      onMouseDown={(event) => {
        // Outside of its content there is only the backdrop.
        if (event.target === element.current) onClose();
      }}
    >
      {isOpen && (
        <div className="dialog-body">
          {/* No header and footer: where it is opened from within the page’s own they would be landmarks inside of landmarks. */}
          <div className="dialog-head">
            <h2 id={titleId}>{title}</h2>
            <IconButton icon="close" name="Close" onClick={onClose} />
          </div>
          <div className="dialog-content">{children}</div>
          {actions !== undefined && <div className="dialog-actions">{actions}</div>}
        </div>
      )}
    </dialog>
  );
}

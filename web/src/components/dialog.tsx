/** A dialog based on the native element: it traps the focus, restores it, and closes on Escape. */
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
  // Closes the dialog before React removes its element, because only closing restores the focus.
  // Runs before the next paint.
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
        // Prevents the browser from closing the dialog, because the page's state closes it. If the
        // dialog closed before the state changed, reopening it would have no effect.
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // The close event arrives late: by then, the page may already have opened the dialog again
        // for another question.
        if (isOpen && !currentTarget.open) onClose();
      }}
      onMouseDown={(event) => {
        // A click has the dialog element itself as its target only if it was on the backdrop.
        if (event.target === element.current) onClose();
      }}
    >
      {isOpen && (
        <div className="dialog-body">
          {/* Uses no header or footer elements, because inside the page’s own header they would be nested landmarks. */}
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

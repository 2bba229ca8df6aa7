/** A dialog, by the browser's own element: it holds the focus, gives it back, and closes by Escape. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
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
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={titleId}
      onClose={onClose}
      onMouseDown={(event) => {
        // Outside of its content there is only the backdrop.
        if (event.target === element.current) onClose();
      }}
    >
      {isOpen && (
        <div className="dialog-body">
          <header className="dialog-head">
            <h2 id={titleId}>{title}</h2>
            <IconButton icon="close" name="Close" onClick={onClose} />
          </header>
          <div className="dialog-content">{children}</div>
          {actions !== undefined && <footer className="dialog-actions">{actions}</footer>}
        </div>
      )}
    </dialog>
  );
}

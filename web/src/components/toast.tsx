/**
 * Short notices about completed actions, with an undo button, at the edge of the window where they
 * cover nothing.
 */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { CommandText } from './command-text.tsx';
import { FaultText } from './states.tsx';

/** Long enough to read two lines and reach the button. */
const TOAST_MS = 7_000;

interface ToastNote {
  readonly id: number;
  readonly text: ReactNode;
  readonly error?: Error;
  readonly undo?: (() => void) | undefined;
  /** Sentences about the consequences of the action. */
  readonly effects?: readonly string[] | undefined;
}

export interface ToastService {
  /**
   * Shows a notice. A notice with effects stays until it is closed, because a person may have to
   * act on them.
   */
  show(text: ReactNode, options?: Pick<ToastNote, 'undo' | 'effects'>): void;
  /**
   * Shows an error. It stays until it is closed, because an error that disappears by itself may go
   * unseen.
   */
  showError(title: string, error: Error): void;
}

const ToastContext = createContext<ToastService>({ show: () => {}, showError: () => {} });

export function useToasts(): ToastService {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [notes, setNotes] = useState<readonly ToastNote[]>([]);
  const [toasts] = useState<ToastService>(() => {
    let next = 0;
    const add = (note: Omit<ToastNote, 'id'>) => {
      next += 1;
      const id = next;
      setNotes((all) => [...all.slice(-2), { ...note, id }]);
    };
    return {
      show: (text, { undo, effects } = {}) => add({ text, undo, effects }),
      showError: (title, error) => add({ text: title, error }),
    };
  });
  const close = (id: number) => setNotes((all) => all.filter((note) => note.id !== id));
  return (
    <ToastContext value={toasts}>
      {children}
      <section className="toasts" aria-label="Notices">
        {notes.map((note) => (
          <Toast key={note.id} note={note} onClose={() => close(note.id)} />
        ))}
      </section>
    </ToastContext>
  );
}

function Toast({ note, onClose }: { readonly note: ToastNote; onClose(): void }) {
  const [isHeld, setIsHeld] = useState(false);
  const { text, error, undo, effects = [] } = note;
  const shouldStay = error !== undefined || effects.length > 0 || isHeld;
  useEffect(() => {
    if (shouldStay) return;
    const timer = setTimeout(onClose, TOAST_MS);
    return () => clearTimeout(timer);
  }, [shouldStay, onClose]);
  return (
    <article
      className={`toast ${error === undefined ? '' : 'toast-bad'}`}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div className="toast-text" role={error === undefined ? 'status' : 'alert'}>
        <div>{typeof text === 'string' ? <CommandText text={text} /> : text}</div>
        {effects.map((effect) => (
          <div key={effect}>
            <CommandText text={effect} />
          </div>
        ))}
        {error !== undefined && <FaultText error={error} />}
      </div>
      {undo !== undefined && (
        <Button
          variant="quiet"
          onClick={() => {
            onClose();
            undo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton icon="close" name="Close" onClick={onClose} />
    </article>
  );
}

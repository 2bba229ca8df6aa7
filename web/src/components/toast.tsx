/** Short words about what was just done, with a way to undo it, at the edge where they cover nothing. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { CommandText } from './command-text.tsx';
import { FaultText } from './states.tsx';

/** Long enough to read two lines and reach the button. */
const SHOWN_MS = 7_000;

interface Note {
  readonly id: number;
  readonly text: ReactNode;
  readonly error?: Error;
  readonly undo?: () => void;
}

export interface Toasts {
  say(text: ReactNode, options?: { readonly undo?: () => void }): void;
  /** Stays until it is closed: an error that leaves by itself was never seen. */
  complain(title: string, error: Error): void;
}

const ToastContext = createContext<Toasts>({ say: () => {}, complain: () => {} });

export function useToasts(): Toasts {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const [toasts] = useState<Toasts>(() => {
    let next = 0;
    const add = (note: Omit<Note, 'id'>) => {
      next += 1;
      const id = next;
      setNotes((all) => [...all.slice(-2), { ...note, id }]);
    };
    return {
      say: (text, { undo } = {}) => add(undo === undefined ? { text } : { text, undo }),
      complain: (title, error) => add({ text: title, error }),
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

function Toast({ note, onClose }: { readonly note: Note; onClose(): void }) {
  const [isHeld, setIsHeld] = useState(false);
  const stays = note.error !== undefined || isHeld;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, onClose]);
  const { text, error, undo } = note;
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
        {error !== undefined && <FaultText error={error} />}
      </div>
      {undo !== undefined && (
        <Button
          look="quiet"
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

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
  readonly undo?: (() => void) | undefined;
  /** Sentences about what follows from it. */
  readonly effects?: readonly string[] | undefined;
}

export interface Toasts {
  /** With effects it stays until it is closed: a person may have to act on them. */
  say(text: ReactNode, options?: Pick<Note, 'undo' | 'effects'>): void;
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
      say: (text, { undo, effects } = {}) => add({ text, undo, effects }),
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
  const { text, error, undo, effects = [] } = note;
  const stays = error !== undefined || effects.length > 0 || isHeld;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, onClose]);
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

/** Asks before something that is hard to take back: says what will happen, and the button says what it does. */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface Question {
  readonly title: string;
  readonly text: ReactNode;
  /** What the button does, as a verb: “Roll back”. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

type Ask = (question: Question) => Promise<boolean>;
const ConfirmContext = createContext<Ask>(() => Promise.resolve(false));

/** Resolves to whether the person agreed. */
export function useConfirm(): Ask {
  return useContext(ConfirmContext);
}

interface Asked {
  readonly question: Question;
  answer(isAgreed: boolean): void;
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [ask] = useState<Ask>(
    () => (question: Question) => new Promise<boolean>((resolve) => setAsked({ question, answer: resolve })),
  );
  const settle = (isAgreed: boolean) => {
    asked?.answer(isAgreed);
    setAsked(null);
  };
  const { title = '', text, action, isDangerous = false } = asked?.question ?? {};
  return (
    <ConfirmContext value={ask}>
      {children}
      <Dialog
        title={title}
        isOpen={asked !== null}
        onClose={() => settle(false)}
        actions={
          <>
            <Button onClick={() => settle(false)}>Cancel</Button>
            <Button look={isDangerous ? 'danger' : 'main'} onClick={() => settle(true)}>
              {action}
            </Button>
          </>
        }
      >
        <div>{text}</div>
      </Dialog>
    </ConfirmContext>
  );
}

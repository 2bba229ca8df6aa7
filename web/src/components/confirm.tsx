/**
 * Asks for confirmation before an action that is hard to undo. The dialog says what will happen,
 * and the button names the action.
 */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmQuestion {
  readonly title: string;
  readonly text: ReactNode;
  /** Button label, a verb such as “Roll back”. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

type AskConfirmation = (question: ConfirmQuestion) => Promise<boolean>;
const ConfirmContext = createContext<AskConfirmation>(() => Promise.resolve(false));

/** Returns a function that asks for confirmation and resolves to whether the person agreed. */
export function useConfirm(): AskConfirmation {
  return useContext(ConfirmContext);
}

interface PendingConfirmation {
  readonly question: ConfirmQuestion;
  answer(isAgreed: boolean): void;
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [pending, setPending] = useState<PendingConfirmation | null>(null);
  const [ask] = useState<AskConfirmation>(
    () => (question: ConfirmQuestion) =>
      new Promise<boolean>((resolve) => setPending({ question, answer: resolve })),
  );
  const settle = (isAgreed: boolean) => {
    pending?.answer(isAgreed);
    setPending(null);
  };
  const { title = '', text, action, isDangerous = false } = pending?.question ?? {};
  return (
    <ConfirmContext value={ask}>
      {children}
      <Dialog
        title={title}
        isOpen={pending !== null}
        onClose={() => settle(false)}
        actions={
          <>
            <Button onClick={() => settle(false)}>Cancel</Button>
            <Button variant={isDangerous ? 'danger' : 'main'} onClick={() => settle(true)}>
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

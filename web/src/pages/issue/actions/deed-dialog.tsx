/** A dialog that does one thing: what was typed stays when the daemon refuses, with the reason and the next step below it. */
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FaultText } from '../../../components/error-state.tsx';

interface DeedDialogProps {
  readonly title: string;
  /** What the button does, as a verb: “Roll back”. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  onSubmit(): void;
  onClose(): void;
  readonly children: ReactNode;
}

export function DeedDialog(props: DeedDialogProps) {
  const { title, action, isDangerous = false, isReady, isBusy, error, onSubmit, onClose, children } = props;
  const form = useId();
  // It is taken away while it is open, and then the browser does not give the focus back.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            look={isDangerous ? 'danger' : 'main'}
            isBusy={isBusy}
            disabled={!isReady}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className="deed" onSubmit={submit}>
        {children}
        {error !== null && (
          <div className="trouble" role="alert">
            <FaultText error={error} />
          </div>
        )}
      </form>
    </Dialog>
  );
}

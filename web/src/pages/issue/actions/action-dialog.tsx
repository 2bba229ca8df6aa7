/** A dialog that does one thing: what was typed stays when the daemon refuses, with the reason and the next step below it. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Refusal } from '../../../components/states.tsx';

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
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    submit(event);
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
      <form id={form} className="deed" onSubmit={submit} onKeyDown={onKeyDown}>
        {children}
        {error !== null && <Refusal error={error} />}
      </form>
    </Dialog>
  );
}

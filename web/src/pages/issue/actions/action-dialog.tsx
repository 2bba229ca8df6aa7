/**
 * A dialog for one action. If the daemon refuses, the input stays, with the reason and the next
 * step below it.
 */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Refusal } from '../../../components/states.tsx';

interface ActionDialogProps {
  readonly title: string;
  /** Button label, a verb such as “Roll back”. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  onSubmit(): void;
  onClose(): void;
  readonly children: ReactNode;
}

export function ActionDialog(props: ActionDialogProps) {
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
            variant={isDangerous ? 'danger' : 'main'}
            isBusy={isBusy}
            disabled={!isReady}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className="action-form" onSubmit={submit} onKeyDown={onKeyDown}>
        {children}
        {error !== null && <Refusal error={error} />}
      </form>
    </Dialog>
  );
}

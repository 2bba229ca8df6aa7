/** Adds an issue from its title alone; stays open for the next one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { Status } from '../../../../src/domain/status.ts';
import type { IssueView } from '../../../../src/protocol/board.ts';
import { boardQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { useToasts } from '../../components/toast.tsx';

interface QuickAddProps {
  readonly status: Status;
  readonly column: string;
  onClose?(): void;
}

export function QuickAdd({ status, column, onClose }: QuickAddProps) {
  const [title, setTitle] = useState('');
  // What had the focus before the field took it has it again afterwards.
  const [opener] = useState(() => document.activeElement);
  const client = useQueryClient();
  const toasts = useToasts();
  const add = useMutation({
    // The key makes a second try, after an answer that was lost, the same issue.
    mutationFn: (issue: { readonly title: string; readonly key: string }) =>
      request<IssueView>('POST', '/issues', ['id'], { body: { ...issue, status } }),
    onSuccess: ({ id }) => {
      setTitle('');
      toasts.say(`${id} added to ${column}`);
    },
    onError: (error) => toasts.complain('The issue was not added', error),
    onSettled: () => client.invalidateQueries({ queryKey: boardQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() !== '') add.mutate({ title: title.trim(), key: crypto.randomUUID() });
  };
  const close = () => {
    if (opener instanceof HTMLElement) opener.focus();
    onClose?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return (
    <form className="quick-add" onSubmit={submit} onKeyDown={onKeyDown}>
      <input
        className="input"
        // biome-ignore lint/a11y/noAutofocus: it is there because somebody asked to type.
        autoFocus={onClose !== undefined}
        aria-label={`Title of the new issue in ${column}`}
        placeholder="What is to be done?"
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <div className="quick-add-actions">
        <Button type="submit" look="main" isBusy={add.isPending} disabled={title.trim() === ''}>
          Add
        </Button>
        {onClose !== undefined && (
          <Button look="quiet" onClick={close}>
            Close
          </Button>
        )}
      </div>
    </form>
  );
}

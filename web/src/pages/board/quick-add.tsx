/** Adds an issue from its title, and what more there is to say of it; stays open for the next one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { Status } from '../../../../src/core/model/status.ts';
import { boardQuery } from '../../api/queries.ts';
import { call, request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { useToasts } from '../../components/toast.tsx';
import '../../styles/write.css';
import { TEXT_MOST_CHARS } from '../../text/most-chars.ts';

const ADD = ['add issue'];

interface QuickAddProps {
  readonly status: Status;
  readonly column: string;
  onClose?(): void;
}

export function QuickAdd({ status, column, onClose }: QuickAddProps) {
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const titleField = useRef<HTMLInputElement>(null);
  const detailsField = useRef<HTMLTextAreaElement>(null);
  // What had the focus before the field took it has it again afterwards.
  const [opener] = useState(() => document.activeElement);
  const client = useQueryClient();
  const toasts = useToasts();
  // The same text sent again after its answer was lost has the same key, which makes it the same issue.
  const attempt = useRef({ text: '', key: '' });
  const add = useMutation({
    mutationKey: ADD,
    mutationFn: (issue: { readonly title: string; readonly body: string; readonly key: string }) =>
      request(call('POST /issues', { body: { ...issue, status } }), ['id']),
    onSuccess: ({ id }) => {
      attempt.current = { text: '', key: '' };
      setTitle('');
      setBody('');
      titleField.current?.focus();
      toasts.say(`${id} added to ${column}`);
    },
    onError: (error) => toasts.complain('The issue was not added', error),
    onSettled: () => client.invalidateQueries({ queryKey: boardQuery.queryKey }),
  });
  const send = () => {
    // Pressed twice before the answer, it still adds one issue.
    // `isPending` is one render late.
    if (title.trim() === '' || client.isMutating({ mutationKey: ADD }) > 0) return;
    const issue = { title: title.trim(), body: body.trim() };
    const text = JSON.stringify(issue);
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    add.mutate({ ...issue, key: attempt.current.key });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const goToDetails = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    // Otherwise the form is sent before anybody could write the details.
    event.preventDefault();
    detailsField.current?.focus();
  };
  const close = () => {
    if (opener instanceof HTMLElement) opener.focus();
    onClose?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSending = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.key !== 'Escape' && !isSending) return;
    event.preventDefault();
    if (isSending) send();
    else close();
  };
  return (
    <form className="quick-add" onSubmit={submit} onKeyDown={onKeyDown}>
      <input
        ref={titleField}
        className="input"
        // biome-ignore lint/a11y/noAutofocus: it is there because somebody asked to type.
        autoFocus={onClose !== undefined}
        aria-label={`Title of the new issue in ${column}`}
        placeholder="What is to be done?"
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={goToDetails}
      />
      <textarea
        ref={detailsField}
        className="input"
        aria-label={`Details of the new issue in ${column}`}
        placeholder="Details, and when it is done"
        rows={3}
        maxLength={TEXT_MOST_CHARS}
        value={body}
        onChange={(event) => setBody(event.target.value)}
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
        <span className="write-hint faint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> adds the issue
        </span>
      </div>
    </form>
  );
}

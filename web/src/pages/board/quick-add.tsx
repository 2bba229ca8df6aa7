/** Adds an issue from a title and optional details, and stays open for the next issue. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { Status } from '../../../../src/core/model/status.ts';
import { boardQuery } from '../../api/queries.ts';
import { createCall, sendRequest } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { useToasts } from '../../components/toast.tsx';
import '../../styles/write.css';
import { MAX_TEXT_CHARACTERS } from '../../text/max-characters.ts';

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
  // The element that had the focus before. It gets the focus back later.
  const [opener] = useState(() => document.activeElement);
  const client = useQueryClient();
  const toasts = useToasts();
  // Text and idempotency key of the last attempt. Resending the same text after a lost response
  // uses the same key, so that only one issue is created.
  const attempt = useRef({ text: '', key: '' });
  const add = useMutation({
    mutationKey: ADD,
    mutationFn: (issue: { readonly title: string; readonly body: string; readonly key: string }) =>
      sendRequest(createCall('POST /issues', { body: { ...issue, status } }), ['id']),
    onSuccess: ({ id }) => {
      attempt.current = { text: '', key: '' };
      setTitle('');
      setBody('');
      titleField.current?.focus();
      toasts.show(`${id} added to ${column}`);
    },
    onError: (error) => toasts.showError('The issue was not added', error),
    onSettled: () => client.invalidateQueries({ queryKey: boardQuery.queryKey }),
  });
  const send = () => {
    // Ignores a second press while the request is pending. Does not use `isPending`, because it
    // lags one render behind.
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
  const focusDetails = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    // Without this, Enter would submit the form before the details are written.
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
        // biome-ignore lint/a11y/noAutofocus: it opens because the user asked to type.
        autoFocus={onClose !== undefined}
        aria-label={`Title of the new issue in ${column}`}
        placeholder="What should be done?"
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={focusDetails}
      />
      <textarea
        ref={detailsField}
        className="input"
        aria-label={`Details of the new issue in ${column}`}
        placeholder="Details and acceptance criteria"
        rows={3}
        maxLength={MAX_TEXT_CHARACTERS}
        value={body}
        onChange={(event) => setBody(event.target.value)}
      />
      <div className="quick-add-actions">
        <Button type="submit" variant="main" isBusy={add.isPending} disabled={title.trim() === ''}>
          Add
        </Button>
        {onClose !== undefined && (
          <Button variant="quiet" onClick={close}>
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

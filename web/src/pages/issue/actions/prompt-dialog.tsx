/** Sends a message to a worker of the issue. */
import { useState } from 'react';
import { isLive } from '../../../../../src/core/model/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/workers.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Choice } from '../choice.tsx';
import { markInitialFocus } from '../initial-focus.ts';
import { pickLikeliestWorker } from '../likeliest-worker.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { ActionDialog } from './action-dialog.tsx';
import { TextArea } from './text-area.tsx';

interface PromptDialogProps {
  readonly issue: string;
  readonly workers: readonly WorkerView[];
  onClose(): void;
}

export function PromptDialog({ issue, workers, onClose }: PromptDialogProps) {
  const mutation = useActionMutation(toStaleIssueQueries(issue));
  const [id, setId] = useState(pickLikeliestWorker(workers)?.id ?? '');
  const [text, setText] = useState('');
  const [isInterrupting, setIsInterrupting] = useState(false);
  const worker = workers.find((each) => each.id === id);
  const isBusy = worker !== undefined && isLive(worker.status);
  const send = () => {
    if (text.trim() === '' || mutation.isPending) return;
    const body = { text, interrupt: isBusy && isInterrupting };
    mutation.mutate(
      { call: createCall('POST /workers/:id/prompt', { params: { id }, body }) },
      { onSuccess: onClose },
    );
  };
  return (
    <ActionDialog
      title="Send a message to a worker"
      action="Send"
      isReady={text.trim() !== ''}
      isBusy={mutation.isPending}
      error={mutation.error}
      onSubmit={send}
      onClose={onClose}
    >
      {workers.length > 1 && (
        <Choice
          name="Worker"
          value={id}
          options={workers.map(({ id: value, mode, status }) => ({ value, label: `${mode} (${status})` }))}
          onChoose={setId}
        />
      )}
      <TextArea
        ref={markInitialFocus}
        label={worker === undefined ? 'Message to the worker' : `Message to the ${worker.mode} worker`}
        value={text}
        onChange={setText}
        onSend={send}
      />
      {isBusy ? (
        <label className="check">
          <input
            type="checkbox"
            checked={isInterrupting}
            onChange={({ target }) => setIsInterrupting(target.checked)}
          />
          <span>
            Interrupt its current turn
            <span className="faint"> Otherwise the worker reads it when this turn ends.</span>
          </span>
        </label>
      ) : (
        <p className="faint">The worker is not running. Your message resumes its session.</p>
      )}
    </ActionDialog>
  );
}

/** Says something to a worker of the issue. */
import { useState } from 'react';
import { isLive } from '../../../../../src/domain/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';
import { call } from '../../../api/request.ts';
import { beginsHere } from '../begins-here.ts';
import { Choice } from '../choice.tsx';
import { likeliest } from '../likeliest-worker.ts';
import { useAct } from './act.ts';
import { DeedDialog } from './action-dialog.tsx';
import { TextArea } from './text-area.tsx';

interface PromptDialogProps {
  readonly issue: string;
  readonly workers: readonly WorkerView[];
  onClose(): void;
}

export function PromptDialog({ issue, workers, onClose }: PromptDialogProps) {
  const act = useAct(issue);
  const [id, setId] = useState(likeliest(workers)?.id ?? '');
  const [text, setText] = useState('');
  const [isInterrupting, setIsInterrupting] = useState(false);
  const worker = workers.find((each) => each.id === id);
  const isBusy = worker !== undefined && isLive(worker.status);
  const send = () => {
    if (text.trim() === '' || act.isPending) return;
    const body = { text, interrupt: isBusy && isInterrupting };
    act.mutate({ call: call('POST /workers/:id/prompt', { params: { id }, body }) }, { onSuccess: onClose });
  };
  return (
    <DeedDialog
      title="Say something to a worker"
      action="Send"
      isReady={text.trim() !== ''}
      isBusy={act.isPending}
      error={act.error}
      onSubmit={send}
      onClose={onClose}
    >
      {workers.length > 1 && (
        <Choice
          name="Worker"
          value={id}
          options={workers.map(({ id: value, mode, status }) => ({ value, says: `${mode} (${status})` }))}
          onChoose={setId}
        />
      )}
      <TextArea
        ref={beginsHere}
        label={`What should ${worker?.mode ?? 'it'} hear?`}
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
            Cut its present turn short
            <span className="faint"> Otherwise it hears it when this turn ends.</span>
          </span>
        </label>
      ) : (
        <p className="faint">It is not at work now: its session goes on with what you say.</p>
      )}
    </DeedDialog>
  );
}

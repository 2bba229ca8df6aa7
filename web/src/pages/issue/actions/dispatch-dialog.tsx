/** Starts a worker of a mode. Starting it out of order needs an explicit confirmation. */
import { useState } from 'react';
import { MODES, type Mode } from '../../../../../src/core/model/mode.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Choice } from '../choice.tsx';
import { markInitialFocus } from '../initial-focus.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { ActionDialog } from './action-dialog.tsx';
import { TextArea } from './text-area.tsx';

interface DispatchDialogProps {
  readonly issue: string;
  readonly suggested: Mode;
  onClose(): void;
}

export function DispatchDialog({ issue, suggested, onClose }: DispatchDialogProps) {
  const mutation = useActionMutation(toStaleIssueQueries(issue));
  const [mode, setMode] = useState<Mode>(suggested);
  const [prompt, setPrompt] = useState('');
  const [isForced, setIsForced] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const isReady = !isForced || isSure;
  const dispatch = () => {
    if (!isReady || mutation.isPending) return;
    const body = { issue, mode, force: isForced, ...(prompt.trim() === '' ? {} : { prompt }) };
    const notice = `The ${mode} worker was dispatched on ${issue}.`;
    mutation.mutate({ call: createCall('POST /workers', { body }), notice }, { onSuccess: onClose });
  };
  return (
    <ActionDialog
      title={`Dispatch a worker on ${issue}`}
      action={isForced ? 'Dispatch out of order' : 'Dispatch'}
      isDangerous={isForced}
      isReady={isReady}
      isBusy={mutation.isPending}
      error={mutation.error}
      onSubmit={dispatch}
      onClose={onClose}
    >
      <Choice
        ref={markInitialFocus}
        name="Mode"
        value={mode}
        options={MODES.map((each) => ({ value: each, label: each }))}
        onChoose={(name) => setMode(MODES.find((mode) => mode === name) ?? 'implement')}
      />
      <TextArea
        label="Additional instructions (optional)"
        rows={3}
        value={prompt}
        onChange={setPrompt}
        onSend={dispatch}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isForced}
          onChange={({ target }) => {
            setIsForced(target.checked);
            setIsSure(false);
          }}
        />
        <span>Start the worker even if this step is not due</span>
      </label>
      {isForced && (
        <label className="check trouble">
          <input type="checkbox" checked={isSure} onChange={({ target }) => setIsSure(target.checked)} />
          <span>
            I am skipping the phase order on purpose.{' '}
            <strong>The journal records this with your name.</strong>
          </span>
        </label>
      )}
    </ActionDialog>
  );
}

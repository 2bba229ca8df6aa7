/** Starts a worker of a mode; out of its order only after a second, explicit word. */
import { useState } from 'react';
import { MODES, type Mode } from '../../../../../src/domain/mode.ts';
import { call } from '../../../api/request.ts';
import { beginsHere } from '../begins-here.ts';
import { Choice } from '../choice.tsx';
import { useAct } from './act.ts';
import { DeedDialog } from './action-dialog.tsx';
import { TextArea } from './text-area.tsx';

interface DispatchDialogProps {
  readonly issue: string;
  readonly suggested: Mode;
  onClose(): void;
}

export function DispatchDialog({ issue, suggested, onClose }: DispatchDialogProps) {
  const act = useAct(issue);
  const [mode, setMode] = useState<Mode>(suggested);
  const [prompt, setPrompt] = useState('');
  const [isForced, setIsForced] = useState(false);
  const [isSure, setIsSure] = useState(false);
  const isReady = !isForced || isSure;
  const dispatch = () => {
    if (!isReady || act.isPending) return;
    const body = { issue, mode, force: isForced, ...(prompt.trim() === '' ? {} : { prompt }) };
    const says = `A worker for ${mode} was dispatched on ${issue}.`;
    act.mutate({ call: call('POST /workers', { body }), says }, { onSuccess: onClose });
  };
  return (
    <DeedDialog
      title={`Dispatch a worker on ${issue}`}
      action={isForced ? 'Dispatch out of order' : 'Dispatch'}
      isDangerous={isForced}
      isReady={isReady}
      isBusy={act.isPending}
      error={act.error}
      onSubmit={dispatch}
      onClose={onClose}
    >
      <Choice
        ref={beginsHere}
        name="Mode"
        value={mode}
        options={MODES.map((each) => ({ value: each, says: each }))}
        onChoose={(name) => setMode(MODES.find((mode) => mode === name) ?? 'implement')}
      />
      <TextArea
        label="What else should it know? (optional)"
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
        <span>Even if this step is not due</span>
      </label>
      {isForced && (
        <label className="check trouble">
          <input type="checkbox" checked={isSure} onChange={({ target }) => setIsSure(target.checked)} />
          <span>
            I pass the order of phases on purpose.{' '}
            <strong>It is written down in the journal, with who did it.</strong>
          </span>
        </label>
      )}
    </DeedDialog>
  );
}

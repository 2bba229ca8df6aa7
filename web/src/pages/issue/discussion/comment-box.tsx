/** Says something on the issue. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { FaultText } from '../../../components/error-state.tsx';
import { useAct } from '../actions/act.ts';
import { TextArea } from '../actions/text-area.tsx';
import { at } from '../queries.ts';

export function CommentBox({ issue }: { readonly issue: string }) {
  const act = useAct(issue);
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() === '' || act.isPending) return;
    act.mutate(
      { method: 'POST', path: at(issue, '/comments'), body: { text } },
      { onSuccess: () => setText('') },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form className="deed" onSubmit={submit}>
      <TextArea
        label="Comment"
        isLabelUnseen
        rows={3}
        placeholder="Say something on the issue"
        value={text}
        onChange={setText}
        onSend={send}
      />
      {act.error !== null && (
        <div className="trouble" role="alert">
          <FaultText error={act.error} />
        </div>
      )}
      <div className="deed-actions">
        <span className="faint">
          Workers read it. <span className="by-keyboard">Ctrl Enter sends.</span>
        </span>
        <Button type="submit" isBusy={act.isPending} disabled={text.trim() === ''}>
          Comment
        </Button>
      </div>
    </form>
  );
}

/** What is written on the page of an issue and sent: its draft is gone once it was taken, also where its box is gone by then. */
import type { Call } from '../../api/request.ts';
import { useDraft } from '../../drafts/draft.ts';
import { useAct } from './actions/act.ts';

interface Sending {
  /** The name its draft is kept by. */
  readonly draft: string;
  /** What is sent of the text. */
  toCall(text: string): Call<object>;
}

/** For a `WriteBox`. */
export function useSending(issue: string, { draft: name, toCall }: Sending) {
  const act = useAct(issue);
  const draft = useDraft(name);
  const onSend = (text: string) => {
    const sent = act.mutateAsync({ call: toCall(text) });
    // A refusal stands below the box. What `mutate` is given to call is not called for a box that has left: an answer often is
    // taken and its question gone before the daemon's word of it comes.
    sent.then(
      () => draft.set(''),
      () => undefined,
    );
  };
  return { draft, onSend, isSending: act.isPending, error: act.error };
}

/**
 * Sends text written on an issue's page. Clears the draft once the daemon has accepted the text,
 * even if the text box is gone by then.
 */
import type { ApiCall } from '../../api/request.ts';
import { useActionMutation } from '../../api/use-action-mutation.ts';
import { useDraft } from '../../drafts/draft.ts';
import { toStaleIssueQueries } from './queries.ts';

interface DraftSendOptions {
  /** Name of the stored draft. */
  readonly draft: string;
  /** Builds the request from the text. */
  toCall(text: string): ApiCall<object>;
}

/** Returns the props of a `WriteBox`. */
export function useDraftSending(issue: string, { draft: name, toCall }: DraftSendOptions) {
  const mutation = useActionMutation(toStaleIssueQueries(issue));
  const draft = useDraft(name);
  const onSend = (text: string) => {
    const sent = mutation.mutateAsync({ call: toCall(text) });
    // Uses the promise, because a callback passed to `mutate` is not called if the box has
    // unmounted, and a question often disappears before the daemon's response arrives. Ignores
    // errors here, because they are shown below the box.
    sent.then(
      () => draft.set(''),
      () => undefined,
    );
  };
  return { draft, onSend, isSending: mutation.isPending, error: mutation.error };
}

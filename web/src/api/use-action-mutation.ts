/** Sends an action to the daemon, reports the result and refetches the data that it affects. */

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeMoveEffects, type MoveEffects } from '../../../src/core/model/lifecycle.ts';
import { useToasts } from '../components/toast.tsx';
import { type ApiCall, sendRequest } from './request.ts';

export interface ActionRequest {
  readonly call: ApiCall<object>;
  /** Text of the notice on success. Defaults to the sentence in the daemon's response. */
  readonly notice?: ReactNode;
  /** True for a move or a close, whose response lists the consequences. */
  readonly isMove?: true;
  /**
   * Title of the error notice, such as “The message was not sent”. If absent, the caller shows the
   * error itself.
   */
  readonly refused?: string;
  undo?(): void;
  /** Called on success, before any query is refetched. */
  onDone?(): void;
}

/** Queries that an action makes stale. */
export interface StaleQueries {
  readonly keys: readonly QueryKey[];
  /**
   * Query that must be refetched before the action is done, so that the page changes only once the
   * daemon confirms the action. If absent, the action is done when its response arrives.
   */
  readonly awaited?: QueryKey;
}

/** The daemon's response. Some responses include a sentence about what was done. */
interface ActionAnswer {
  readonly says?: unknown;
}

export function useActionMutation({ keys, awaited }: StaleQueries) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: ({ call }: ActionRequest) => sendRequest(call as ApiCall<ActionAnswer>, []),
    onSuccess: (answer, { notice, isMove, undo, onDone }) => {
      onDone?.();
      const effects = isMove ? describeMoveEffects(answer as MoveEffects, Date.now()) : [];
      toasts.show(notice ?? (typeof answer.says === 'string' ? answer.says : 'Done.'), { undo, effects });
    },
    onError: (error, { refused }) => {
      if (refused !== undefined) toasts.showError(refused, error);
    },
    onSettled: async () => {
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
      if (awaited !== undefined) await client.invalidateQueries({ queryKey: awaited });
    },
  });
}

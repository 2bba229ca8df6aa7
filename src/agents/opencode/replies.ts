/** Answers what OpenCode asks in the midst of a turn: permissions at once, questions by handing them to a person. */
import type { Emit } from '../../driving/dialect.ts';
import type { Api } from './api.ts';
import type { PermissionAsked, QuestionAsked } from './events.ts';
import { permissionReply } from './permission.ts';
import { questionText } from './question.ts';

export interface Replies {
  permission(asked: PermissionAsked): void;
  question(asked: QuestionAsked): void;
}

export interface ReplyTo {
  readonly api: Api;
  readonly workspace: string;
  readonly emit: Emit;
  /** Says it to the daemon, which tells a person. */
  ask(question: string): Promise<unknown>;
}

export function replying({ api, workspace, emit, ask }: ReplyTo): Replies {
  /** Both are told as events, and found again by whoever looks for what was missed. */
  const inHand = new Set<string>();

  function once(id: string, reply: () => Promise<unknown>): void {
    if (inHand.has(id)) return;
    inHand.add(id);
    // A reply that did not arrive is given again at the next look.
    void reply().catch(() => inHand.delete(id));
  }

  async function handOn(asked: QuestionAsked): Promise<void> {
    const text = questionText(asked);
    // Refused, the question is still ended: the reminder that follows says how to report.
    await ask(text).then(
      () => emit({ type: 'question', text }),
      () => undefined,
    );
    // This ends the turn; the answer begins the next one.
    await api.post(`/question/${asked.id}/reject`);
  }

  return {
    permission: (asked) =>
      once(asked.id, () => api.post(`/permission/${asked.id}/reply`, permissionReply(asked, workspace))),
    question: (asked) => once(asked.id, () => handOn(asked)),
  };
}

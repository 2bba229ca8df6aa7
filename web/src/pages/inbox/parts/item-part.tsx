/** What settles an item, by its kind. */

import type { ItemViewProps } from '../item-view.tsx';
import { isAnswered } from '../question.ts';
import { AnswerPart } from './answer-part.tsx';
import { ApprovalPart } from './approval-part.tsx';
import { ClarificationPart } from './clarification-part.tsx';
import { CommandsPart } from './commands-part.tsx';
import { MessagePart } from './message-part.tsx';
import { PausedPart } from './paused-part.tsx';
import { StuckPart } from './stuck-part.tsx';
import { WorkerPart } from './worker-part.tsx';

export function ItemPart(props: ItemViewProps) {
  const { item, isOpen } = props;
  const { issue } = item;
  switch (item.kind) {
    case 'commands':
      return <CommandsPart item={item} />;
    case 'paused':
      return <PausedPart issue={issue} isOpen={isOpen} />;
    case 'budget':
      // Only legion.yaml, or midnight, settles it.
      return null;
    case 'message':
      return <MessagePart {...props} />;
    case 'problem':
      return null;
    case 'worker':
      return <WorkerPart item={item} />;
    case 'question':
      return issue === null ? null : <AnswerPart {...props} issue={issue} />;
    case 'approval':
      return issue === null ? null : <ApprovalPart issue={issue} approves={item.approves} isOpen={isOpen} />;
    case 'clarification':
      return issue === null ? null : <ClarificationPart {...props} issue={issue} />;
    case 'escalation':
      if (issue === null) return null;
      return isAnswered(item) ? <AnswerPart {...props} issue={issue} /> : <StuckPart issue={issue} />;
  }
}

/** `legion issue …`: the board. */
import { family } from '../formed.ts';
import { add } from './issue/add.ts';
import { close } from './issue/close.ts';
import { comment } from './issue/comment.ts';
import { edit } from './issue/edit.ts';
import { label } from './issue/label.ts';
import { list } from './issue/list.ts';
import { move } from './issue/move.ts';
import { show } from './issue/show.ts';

export const issue = family('issue', 'Reads and edits the board.', {
  add,
  list,
  show,
  edit,
  comment,
  label,
  move,
  close,
});

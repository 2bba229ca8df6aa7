/** `legion issue …`: reads and edits the board. */
import type { CommandGroup } from '../../program/define-command.ts';

export const issue: CommandGroup = {
  description: 'Read and edit the board.',
  members: {
    add: { summary: 'Add an issue', load: async () => (await import('./issue/add.ts')).add },
    list: { summary: 'List open issues', load: async () => (await import('./issue/list.ts')).list },
    show: {
      summary: 'Show an issue with its pull request, workers and comments',
      load: async () => (await import('./issue/show.ts')).show,
    },
    edit: {
      summary: 'Change the title, text, priority or blockers',
      load: async () => (await import('./issue/add.ts')).edit,
    },
    comment: {
      summary: 'Comment on an issue',
      load: async () => (await import('./issue/comment.ts')).comment,
    },
    label: { summary: 'Add and remove labels', load: async () => (await import('./issue/comment.ts')).label },
    move: {
      summary: 'Move an issue to another status',
      load: async () => (await import('./issue/move.ts')).move,
    },
    close: { summary: 'Close an issue', load: async () => (await import('./issue/move.ts')).close },
  },
};

/** `legion skills …`: lists Legion's skills and installs them for the user's own agent sessions. */

import type { CommandGroup } from '../../program/define-command.ts';

export const skills: CommandGroup = {
  description:
    'List Legion’s skills and install them for your own agent sessions. Workers already have them.',
  members: {
    install: {
      summary: 'Install the skills for your agents',
      load: async () => (await import('./skills/install.ts')).install,
    },
    list: {
      summary: 'List the skills and where they are installed',
      load: async () => (await import('./skills/list.ts')).list,
    },
  },
};

/** `legion skills …`: instructions for agents, also for sessions that Legion has not started. */
import type { CommandGroup } from '../../command.ts';

export const skills: CommandGroup = {
  description:
    'List Legion’s skills, and install them for your own agent sessions. Workers have them anyway.',
  members: {
    install: {
      summary: 'Copy the skills to the folders of your agents',
      load: async () => (await import('../skills/install.ts')).install,
    },
    list: {
      summary: 'List the skills and where they are installed',
      load: async () => (await import('./skills/list.ts')).list,
    },
  },
};

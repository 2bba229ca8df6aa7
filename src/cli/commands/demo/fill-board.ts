/** The operator's first steps, as anybody would take them: approve the repository's commands, write the issues. */
import { PERSON } from '../../../demo/person.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { approveShown, unapprovedCommands } from '../../repository-commands.ts';
import type { DemoBoard } from './board.ts';
import type { Show } from './show.ts';

export async function fillBoard(board: DemoBoard, daemon: DaemonClient, show: Show): Promise<void> {
  const pending = await unapprovedCommands(daemon);
  const names = pending.flatMap(({ commands }) =>
    Object.entries(commands).map(([name, argv]) => `${name} (${argv.join(' ')})`),
  );
  await approveShown(daemon, PERSON, pending);
  show.person(undefined, `let the repository’s commands run: ${names.join(', ')}`);
  for (const story of board.stories) {
    await board.submit(story, daemon);
    show.person(story.id, `write the issue “${story.title}”: ${story.shows}`);
  }
}

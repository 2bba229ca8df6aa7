/** The operator's first steps, as anybody would take them: approve the repository's commands, write the issues. */
import { PERSON } from '../../../demo/person.ts';
import { STORIES } from '../../../demo/stories.ts';
import { LegionError } from '../../../domain/fault.ts';
import { issueSchema } from '../../../protocol/board.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { approveShown, unapprovedCommands } from '../../repository-commands.ts';
import type { Show } from './show.ts';

export async function fillBoard(daemon: DaemonClient, show: Show): Promise<void> {
  const pending = await unapprovedCommands(daemon);
  const names = pending.flatMap(({ commands }) =>
    Object.entries(commands).map(([name, argv]) => `${name} (${argv.join(' ')})`),
  );
  await approveShown(daemon, PERSON, pending);
  show.person(undefined, `let the repository’s commands run: ${names.join(', ')}`);
  for (const { id, title, body, labels, shows } of STORIES) {
    const issue = await daemon.request('POST', '/issues', issueSchema, { body: { title, body, labels } });
    // The scenario knows its issues by the ids of a fresh board.
    if (issue.id !== id)
      throw new LegionError('daemon.defect', `the board named the issue ${issue.id}, expected ${id}`);
    show.person(id, `write the issue “${title}”: ${shows}`);
  }
}

/** `legion inbox`: everything that waits for a person. */

import { Command } from '@commander-js/extra-typings';
import { span } from '../../../domain/format.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import { bullets, heading } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const inbox = daemonCommand(
  () => new Command().description('List what waits for you, each with the command that settles it.'),
  async (_, { daemon }) => {
    const items = await daemon.call(adminEndpoints.inbox);
    return { data: items, text: page(items, Date.now()) };
  },
);

function page(items: readonly InboxItem[], now: number): string {
  if (items.length === 0) return 'Nothing waits for you.';
  const [first, ...more] = items.map(({ kind, issue, title, text, since, ci, read, next }) =>
    [
      heading(`${issue ?? 'legion'}  ${kind}: ${title}`),
      bullets([
        text,
        ...logLines(issue, ci),
        `for ${span(now - since)}`,
        ...(read === undefined ? [] : [`Read it: ${read}`]),
        next,
      ]),
    ].join(''),
  );
  return [first, ...more].join('\n');
}

function logLines(issue: string | null, ci: InboxItem['ci']): string[] {
  if (issue === null || ci === undefined) return [];
  const where = `CI fails at ${ci.sha.slice(0, 10)}. The end of the log of ${ci.check} (legion ci ${issue} shows more):`;
  return [where, ci.log.replace(/^/gm, '  ')];
}

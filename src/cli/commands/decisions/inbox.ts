/** `legion inbox`: lists everything that is waiting for a person. */

import { Command } from '@commander-js/extra-typings';
import { formatDuration } from '../../../core/model/format.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import { renderBullets, renderHeading } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';

export const inbox = daemonCommand(
  () => new Command().description('List what is waiting for you, with the command to run for each item.'),
  async (_, { daemon }) => {
    const items = await daemon.call(adminEndpoints.inbox);
    return { data: items, text: renderInboxPage(items, Date.now()) };
  },
);

function renderInboxPage(items: readonly InboxItem[], now: number): string {
  if (items.length === 0) return 'Nothing is waiting for you.';
  const [first, ...more] = items.map(({ kind, issue, title, text, since, ci, read, approval, next }) =>
    [
      renderHeading(`${issue ?? 'legion'}  ${kind}: ${title}`),
      renderBullets([
        text,
        ...(approval === undefined ? [] : [approval.text.replace(/^/gm, '  ')]),
        ...renderCiLog(issue, ci),
        `for ${formatDuration(now - since)}`,
        ...(read === undefined ? [] : [`Read it: ${read}`]),
        next,
        ...(approval === undefined || approval.subject === 'restart' ? [] : [`legion reject ${issue} "…"`]),
      ]),
    ].join(''),
  );
  return [first, ...more].join('\n');
}

function renderCiLog(issue: string | null, ci: InboxItem['ci']): string[] {
  if (issue === null || ci === undefined) return [];
  const heading = `CI failed at ${ci.sha.slice(0, 10)}. End of the ${ci.check} log (run \`legion ci ${issue}\` for more):`;
  return [heading, ci.log.replace(/^/gm, '  ')];
}

/** `legion diff`: what the work on an issue changes. */
import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import type { Diff } from '../../protocol/dashboard.ts';
import { dashboardEndpoints } from '../../protocol/endpoints/dashboard.ts';
import { parseIssueId } from '../parse-names.ts';
import { bullets, heading } from '../present/page.ts';
import { safeLine, safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../program/options.ts';

export const diff = daemonCommand(
  () =>
    new Command()
      .description(
        'Show what the pull request of an issue changes or, without one, what its workspace changes.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--stat', 'Show only the names of the files and the number of lines')
      .addHelpText('after', examples('legion diff SHOP-1', 'legion diff SHOP-1 --stat')),
  async ({ positionals: [issue], options }, { daemon }) => {
    const id = parseIssueId(issue);
    const found = await daemon.call(dashboardEndpoints.diff, { params: { id } });
    const patches = options.stat === true ? [] : found.files.map(patchText);
    return { data: found, text: [summary(id, found), ...patches].join('\n'), isVerbatim: true };
  },
);

type ChangedFile = Diff['files'][number];

function summary(issue: string, { says, base, head, files, truncated }: Diff): string {
  const range = base === '' ? '' : ` (${[base, head].filter(Boolean).map(shortSha).join('..')})`;
  return [
    heading(`${issue}: ${says.replace(/\.$/, '')}${range}`),
    bullets(files.map(fileLine)),
    truncated ? bullets(['The rest is too long to be shown here.']) : '',
  ].join('');
}

function fileLine({ path, from, change, additions, deletions }: ChangedFile): string {
  const lines = additions === null || deletions === null ? 'binary' : `+${additions} -${deletions}`;
  return `${from === undefined ? path : `${from} → ${path}`}  ${change}, ${lines}`;
}

function patchText({ path, patch, cut }: ChangedFile): string {
  const lines = safeText(patch).split('\n').map(colourLine).join('\n');
  return `${styleText('bold', safeLine(path))}\n${lines}${cut ? '\n(cut here)\n' : ''}`;
}

function colourLine(line: string): string {
  if (line.startsWith('@@')) return styleText('cyan', line);
  if (line.startsWith('+')) return styleText('green', line);
  return line.startsWith('-') ? styleText('red', line) : line;
}

function shortSha(sha: string): string {
  return sha.slice(0, 10);
}

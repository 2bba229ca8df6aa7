/** `legion diff`: shows the changes made for an issue. */
import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { dashboardEndpoints } from '../../../protocol/endpoints/dashboard.ts';
import type { IssueDiff } from '../../../protocol/repository.ts';
import { parseIssueId } from '../../parse-names.ts';
import { renderBullets, renderHeading } from '../../present/page.ts';
import { sanitizeLine, sanitizeText } from '../../present/terminal.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

export const diff = daemonCommand(
  () =>
    new Command()
      .description('Show the changes in an issue’s pull request or, without one, in its workspace.')
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--stat', 'Show only file names and line counts')
      .addHelpText('after', renderExamples('legion diff SHOP-1', 'legion diff SHOP-1 --stat')),
  async ({ positionals: [issue], options }, { daemon }) => {
    const id = parseIssueId(issue);
    const changes = await daemon.call(dashboardEndpoints.diff, { params: { id } });
    const patches = options.stat === true ? [] : changes.files.map(renderPatch);
    return { data: changes, text: [renderDiffSummary(id, changes), ...patches].join('\n'), isVerbatim: true };
  },
);

type ChangedFile = IssueDiff['files'][number];

function renderDiffSummary(issue: string, { says, base, head, files, truncated }: IssueDiff): string {
  const range = base === '' ? '' : ` (${[base, head].filter(Boolean).map(toShortSha).join('..')})`;
  return [
    renderHeading(`${issue}: ${says.replace(/\.$/, '')}${range}`),
    renderBullets(files.map(formatFileLine)),
    truncated ? renderBullets(['The rest is too long to show here.']) : '',
  ].join('');
}

function formatFileLine({ path, from, change, additions, deletions }: ChangedFile): string {
  const lines = additions === null || deletions === null ? 'binary' : `+${additions} -${deletions}`;
  return `${from === undefined ? path : `${from} → ${path}`}  ${change}, ${lines}`;
}

function renderPatch({ path, patch, cut }: ChangedFile): string {
  const lines = sanitizeText(patch).split('\n').map(renderDiffLine).join('\n');
  return `${styleText('bold', sanitizeLine(path))}\n${lines}${cut ? '\n(cut here)\n' : ''}`;
}

function renderDiffLine(line: string): string {
  if (line.startsWith('@@')) return styleText('cyan', line);
  if (line.startsWith('+')) return styleText('green', line);
  return line.startsWith('-') ? styleText('red', line) : line;
}

function toShortSha(sha: string): string {
  return sha.slice(0, 10);
}

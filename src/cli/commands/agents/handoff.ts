/** `legion handoff`: what the phases of an issue leave for each other. */

import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { folderName, type IssueId } from '../../../core/model/ids.ts';
import { decode } from '../../../domain/decode.ts';
import { PHASES } from '../../../domain/mode.ts';
import { parseJson } from '../../../lib/json.ts';
import { unwrap } from '../../../lib/result.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { type Handoff, handoffSchema } from '../../../protocol/verb.ts';
import type { CommandGroup } from '../../command.ts';
import { parseIssueId, parsePhase } from '../../parse-names.ts';
import { safeText } from '../../present/safe.ts';
import { type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';
import { readGivenText } from '../../read-text.ts';

const WORKSPACE_HELP = 'Find the issue by this workspace (default: the current folder)';

const read = daemonCommand(
  () =>
    new Command()
      .description(
        'Print, as JSON, what a phase has left for the next one; without --phase, what every phase has left.',
      )
      .argument('[ISSUE]', ISSUE_HELP)
      .option('--phase <PHASE>', `One of ${PHASES.join(', ')}`)
      .option('--workspace <FOLDER>', WORKSPACE_HELP)
      .addHelpText('after', examples('legion handoff read SHOP-1 --phase plan')),
  async ({ positionals: [issue], options }, session) => {
    const phase = options.phase === undefined ? undefined : parsePhase(options.phase);
    const id = await findIssue(issue, options.workspace, session);
    const { handoffs } = await session.daemon.call(issueActionEndpoints.handoffs, { params: { id } });
    const content = phase === undefined ? handoffs : handoffs[phase];
    if (content === undefined) throw new LegionError('handoff.missing', `${id} has no handoff of ${phase}`);
    return { data: content, text: safeText(JSON.stringify(content, undefined, 2)), isVerbatim: true };
  },
);

const write = daemonCommand(
  () =>
    new Command()
      .description('Write the handoff of a phase: a JSON object with at least a `summary`.')
      .argument('[ISSUE]', ISSUE_HELP)
      .option('--phase <PHASE>', 'The phase whose handoff it is')
      .option('--file <FILE>', 'File to read it from (default: standard input)')
      .option('--workspace <FOLDER>', WORKSPACE_HELP)
      .addHelpText('after', examples('legion handoff write SHOP-1 --phase plan < plan.json')),
  async ({ positionals: [issue], options }, session) => {
    const { phase, file = '-', workspace } = options;
    if (phase === undefined)
      throw new LegionError('usage.invalid', 'legion handoff write needs --phase PHASE');
    const parsed = parsePhase(phase);
    const body = parseHandoff(await readGivenText('--file', file, session.context), file);
    const id = await findIssue(issue, workspace, session);
    const said = await session.daemon.call(issueActionEndpoints.writeHandoff, {
      params: { id, phase: parsed },
      body,
    });
    return { data: said, text: safeText(said.says) };
  },
);

export const handoff: CommandGroup = {
  description: 'Read and write what one phase of an issue leaves for the next.',
  members: {
    read: { summary: 'Print the handoffs of an issue', load: async () => read },
    write: { summary: 'Write the handoff of a phase', load: async () => write },
  },
};

async function findIssue(
  issue: string | undefined,
  workspace: string | undefined,
  { daemon, place, context }: CommandSession,
): Promise<IssueId> {
  if (issue !== undefined) return parseIssueId(issue);
  const folder = realFolder(resolve(context.cwd, workspace ?? '.'));
  const workers = await daemon.call(workerEndpoints.list);
  const here = workers.find(({ workspace: own }) => own !== undefined && isWithin(folder, realFolder(own)));
  if (here !== undefined) return here.issue;
  // Without a worker, the name of the folder still tells the issue.
  const issues = await daemon.call(issueEndpoints.list);
  const root = realFolder(place.paths.workspaces(place.resolved.config.legion));
  const [name] = isWithin(folder, root) ? relative(root, folder).split(sep) : [];
  const named = issues.find(({ id }) => folderName(id) === name);
  if (named !== undefined) return named.id;
  throw new LegionError('handoff.missing', `${folder} is not the workspace of an issue`);
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}${sep}`);
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // what is not there any more is compared by its name
  }
}

function parseHandoff(text: string, file: string): Handoff {
  const source = file === '-' ? 'standard input' : file;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LegionError('input.invalid', `${source} is not a JSON object`);
  return unwrap(decode(handoffSchema, value, source));
}

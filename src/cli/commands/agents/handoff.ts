/**
 * `legion handoff`: reads and writes the handoff that one phase of an issue leaves for the next
 * phase.
 */

import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { decode } from '../../../core/model/decode.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, toFolderName } from '../../../core/model/ids.ts';
import { PHASES } from '../../../core/model/mode.ts';
import { parseJson } from '../../../lib/json.ts';
import { unwrap } from '../../../lib/result.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { type Handoff, handoffSchema } from '../../../protocol/verb.ts';
import { parseIssueId, parsePhase } from '../../parse-names.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { type CommandGroup, ISSUE_HELP, renderExamples } from '../../program/define-command.ts';
import { readGivenText } from '../../read-text.ts';

const WORKSPACE_HELP = 'Find the issue by its workspace (default: the current folder)';

const read = daemonCommand(
  () =>
    new Command()
      .description('Print the handoff of a phase as JSON. Without --phase, print the handoffs of all phases.')
      .argument('[ISSUE]', ISSUE_HELP)
      .option('--phase <PHASE>', `One of ${PHASES.join(', ')}`)
      .option('--workspace <FOLDER>', WORKSPACE_HELP)
      .addHelpText('after', renderExamples('legion handoff read SHOP-1 --phase plan')),
  async ({ positionals: [issue], options }, session) => {
    const phase = options.phase === undefined ? undefined : parsePhase(options.phase);
    const id = await findIssue(issue, options.workspace, session);
    const { handoffs } = await session.daemon.call(issueActionEndpoints.handoffs, { params: { id } });
    const content = phase === undefined ? handoffs : handoffs[phase];
    if (content === undefined) throw new LegionError('handoff.missing', `${id} has no ${phase} handoff.`);
    return { data: content, text: sanitizeText(JSON.stringify(content, undefined, 2)), isVerbatim: true };
  },
);

const write = daemonCommand(
  () =>
    new Command()
      .description('Write the handoff of a phase: a JSON object with at least a `summary`.')
      .argument('[ISSUE]', ISSUE_HELP)
      .option('--phase <PHASE>', 'Phase that the handoff belongs to')
      .option('--file <FILE>', 'File that contains the handoff (default: standard input)')
      .option('--workspace <FOLDER>', WORKSPACE_HELP)
      .addHelpText('after', renderExamples('legion handoff write SHOP-1 --phase plan < plan.json')),
  async ({ positionals: [issue], options }, session) => {
    const { phase, file = '-', workspace } = options;
    if (phase === undefined)
      throw new LegionError('usage.invalid', 'legion handoff write needs --phase PHASE.');
    const parsed = parsePhase(phase);
    const body = parseHandoff(await readGivenText('--file', file, session.context), file);
    const id = await findIssue(issue, workspace, session);
    const answer = await session.daemon.call(issueActionEndpoints.writeHandoff, {
      params: { id, phase: parsed },
      body,
    });
    return { data: answer, text: sanitizeText(answer.says) };
  },
);

export const handoff: CommandGroup = {
  description: 'Read and write handoffs, the notes that one phase of an issue leaves for the next.',
  members: {
    read: { summary: 'Print the handoffs of an issue', load: async () => read },
    write: { summary: 'Write the handoff of a phase', load: async () => write },
  },
};

async function findIssue(
  issue: string | undefined,
  workspace: string | undefined,
  { daemon, location, context }: CommandSession,
): Promise<IssueId> {
  if (issue !== undefined) return parseIssueId(issue);
  const folder = resolveRealFolder(resolve(context.cwd, workspace ?? '.'));
  const workers = await daemon.call(workerEndpoints.list, { query: { finished: 'all' } });
  const worker = workers.find(
    ({ workspace: own }) => own !== undefined && isWithin(folder, resolveRealFolder(own)),
  );
  if (worker !== undefined) return worker.issue;
  // If no worker is using this workspace, the name of the directory still identifies the issue.
  const issues = await daemon.call(issueEndpoints.list);
  const root = resolveRealFolder(location.paths.workspaces(location.resolved.config.legion));
  const [name] = isWithin(folder, root) ? relative(root, folder).split(sep) : [];
  const named = issues.find(({ id }) => toFolderName(id) === name);
  if (named !== undefined) return named.id;
  throw new LegionError('handoff.missing', `${folder} is not the workspace of an issue.`);
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}${sep}`);
}

function resolveRealFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a path that does not exist is compared as written
  }
}

function parseHandoff(text: string, file: string): Handoff {
  const source = file === '-' ? 'standard input' : file;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LegionError('input.invalid', `${source} is not a JSON object.`);
  return unwrap(decode(handoffSchema, value, source));
}

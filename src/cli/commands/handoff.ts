/** `legion handoff`: what the phases of an issue leave for each other. */
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import { folderName, type IssueId } from '../../domain/ids.ts';
import { handoffsAnswer, saidAnswer } from '../../protocol/operator.ts';
import { route } from '../daemon-client.ts';
import { family } from '../formed.ts';
import { parseIssueId, parsePhase } from '../parse-names.ts';
import { safeText } from '../present/safe.ts';
import { type CommandSession, daemonCommand } from '../program/daemon-command.ts';
import { textFrom } from '../read-text.ts';
import { issuesAnswer, workersAnswer } from '../wire.ts';

const WHICH = {
  workspace: { value: 'FOLDER', says: 'the issue by its workspace; without both, by the folder one is in' },
} as const;

const read = daemonCommand(
  {
    name: 'handoff read',
    says: 'Prints, as JSON, what a phase left; without --phase, what all of them left.',
    takes: { issue: 'optional' },
    options: {
      phase: { value: 'PHASE', says: 'architect, plan, implement, test, review, retro or merge' },
      ...WHICH,
    },
  },
  async ({ issue, options }, session) => {
    const phase = options.phase === undefined ? undefined : parsePhase(options.phase);
    const id = await issueMeant(issue, options.workspace, session);
    const { handoffs } = await session.daemon.request('GET', route`/issues/${id}/handoffs`, handoffsAnswer);
    const content = phase === undefined ? handoffs : handoffs[phase];
    if (content === undefined) throw new LegionError('handoff.missing', `${id} has no handoff of ${phase}`);
    return { data: content, text: safeText(JSON.stringify(content, undefined, 2)) };
  },
);

const write = daemonCommand(
  {
    name: 'handoff write',
    says: 'Leaves the handoff of a phase: a JSON object with at least a `summary`.',
    takes: { issue: 'optional' },
    options: {
      phase: { value: 'PHASE', says: 'whose handoff it is' },
      file: { value: 'FILE', says: 'where it is read from; default: - for standard input' },
      ...WHICH,
    },
  },
  async ({ issue, options }, session) => {
    const { phase, file = '-', workspace } = options;
    if (phase === undefined) throw new LegionError('usage.invalid', 'handoff write needs --phase PHASE');
    const named = parsePhase(phase);
    const body = objectIn(await textFrom(file, session.context), file);
    const id = await issueMeant(issue, workspace, session);
    const said = await session.daemon.request('PUT', route`/issues/${id}/handoffs/${named}`, saidAnswer, {
      body,
    });
    return { data: said, text: safeText(said.says) };
  },
);

export const handoff = family('handoff', 'Reads and writes what phases leave for those after them.', {
  read,
  write,
});

async function issueMeant(
  issue: string | undefined,
  workspace: string | undefined,
  { daemon, place, context }: CommandSession,
): Promise<IssueId> {
  if (issue !== undefined) return parseIssueId(issue);
  const folder = realFolder(resolve(context.cwd, workspace ?? '.'));
  const workers = await daemon.request('GET', '/workers', workersAnswer);
  const here = workers.find(({ workspace: own }) => own !== undefined && isWithin(folder, realFolder(own)));
  if (here !== undefined) return here.issue;
  // A workspace that no worker is known for any more still has the issue's folder name.
  const issues = await daemon.request('GET', '/issues', issuesAnswer);
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

function objectIn(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // said below, together with JSON that is something else
  }
  throw new LegionError('input.invalid', `${file === '-' ? 'standard input' : file} is not a JSON object`);
}

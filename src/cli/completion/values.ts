/** Lists the values that an argument or option can have, based on its placeholder in the help. */
import type { IssueId } from '../../core/model/ids.ts';
import { isLive, isWaiting } from '../../core/model/lifecycle.ts';
import { MODES, PHASES } from '../../core/model/mode.ts';
import { isFinished, STATUSES } from '../../core/model/status.ts';
import type { DashboardCard } from '../../protocol/dashboard.ts';
import { dashboardEndpoints } from '../../protocol/endpoints/dashboard.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import type { WorkerView } from '../../protocol/workers.ts';
import { createDaemonClient, type DaemonClient } from '../daemon-client.ts';
import { findRunningLocation } from '../legion-location.ts';
import type { CommandContext } from '../program/define-command.ts';
import { SHELLS } from './scripts.ts';
import type { TypedLine } from './typed-line.ts';

export interface CompletionCandidate {
  readonly word: string;
  readonly description?: string | undefined;
}

/** `files` lets the shell complete file names. */
export type CompletionCandidates = readonly CompletionCandidate[] | 'files';

const STATUS_ARGUMENTS = STATUSES.map((status) => status.toLowerCase().replaceAll(' ', '-'));
const FIXED: Readonly<Record<string, readonly string[]>> = {
  AGENT: ['claude-code', 'opencode', 'codex', 'scripted'],
  PHASE: PHASES,
  PRIORITY: ['urgent', 'high', 'medium', 'low', 'none'],
  SHELL: SHELLS,
  STAGE: [...STATUS_ARGUMENTS, ...PHASES],
  STATUS: STATUS_ARGUMENTS,
};
const FILES: readonly string[] = ['FILE', 'FOLDER', 'DIR', 'JOURNAL'];
const PAGES: readonly string[] = ['board', 'inbox', 'fleet'];
/** Commands whose argument is an existing worker, each with a filter for the workers to offer. */
const WORKERS_FOR: Readonly<Record<string, (worker: WorkerView) => boolean>> = {
  attach: isRunning,
  logs: () => true,
  prompt: () => true,
  'reset-crashes': ({ crashes }) => crashes > 0,
  stop: isRunning,
  view: () => true,
};
/** Statuses in which a specification, a plan or a merge can be rejected. */
const REJECTABLE: ReadonlySet<string> = new Set(['Backlog', 'Todo', 'In Progress', 'Retro']);
/**
 * Commands that apply only to some issues, each with a filter. All other commands offer the open
 * issues.
 */
const ISSUES_FOR: Readonly<Record<string, (card: DashboardCard) => boolean>> = {
  answer: (card) => isOpen(card) && hasPendingLabel(card, 'user-input-needed', 'user-feedback-given'),
  approve: (card) => isOpen(card) && hasPendingLabel(card, 'needs-approval', 'human-approved'),
  reject: (card) => isOpen(card) && REJECTABLE.has(card.status),
  pause: (card) => isOpen(card) && !card.labels.includes('legion-paused'),
  resume: (card) => isOpen(card) && card.labels.includes('legion-paused'),
  rollback: ({ pullRequest }) => pullRequest?.state === 'merged',
};

export async function listValues(
  placeholder: string,
  commandName: string,
  { positionals, values }: Pick<TypedLine, 'positionals' | 'values'>,
  context: CommandContext,
): Promise<CompletionCandidates> {
  const location = { legion: values.get('--legion'), config: values.get('--config') };
  const ofWorker = findOwn(WORKERS_FOR, commandName);
  const ofIssue = findOwn(ISSUES_FOR, commandName) ?? isOpen;
  switch (placeholder) {
    case 'ISSUE':
    case 'ISSUE|REPO':
      return ofWorker === undefined
        ? readLiveIssues(context, location, ofIssue)
        : listIssuesOf(await readWorkers(context, location, ofWorker));
    case 'PAGE|ISSUE':
      return [...toCandidates(PAGES), ...(await readLiveIssues(context, location, isOpen))];
    case 'MODE':
      return ofWorker === undefined
        ? toCandidates(MODES)
        : listModesOf(positionals[0] ?? '', await readWorkers(context, location, ofWorker));
    default:
      if (FILES.includes(placeholder)) return 'files';
      if (/^[a-z|]+$/.test(placeholder)) return toCandidates(placeholder.split('|'));
      return toCandidates(findOwn(FIXED, placeholder) ?? []);
  }
}

function listIssuesOf(workers: readonly WorkerView[]): CompletionCandidate[] {
  return [...new Set(workers.map(({ issue }) => issue))].map((word) => {
    const modes = workers.filter(({ issue }) => issue === word).map(({ mode }) => mode);
    return { word, description: modes.join(', ') };
  });
}

function listModesOf(issue: string, workers: readonly WorkerView[]): CompletionCandidate[] {
  const own = workers.filter((worker) => worker.issue.toLowerCase() === issue.toLowerCase());
  return own.map(({ mode, status }) => ({ word: mode, description: status }));
}

async function readWorkers(
  context: CommandContext,
  location: NamedLegionLocation,
  isWanted: (worker: WorkerView) => boolean,
): Promise<readonly WorkerView[]> {
  return (await readLiveWorkers(context, location)).filter(isWanted);
}

function isRunning({ status, exit, stopping }: WorkerView): boolean {
  return exit === undefined && stopping === undefined && (isLive(status) || isWaiting(status));
}

function isOpen({ status }: DashboardCard): boolean {
  return !isFinished(status);
}

function hasPendingLabel({ labels }: DashboardCard, due: string, settled: string): boolean {
  return labels.includes(due) && !labels.includes(settled);
}

/**
 * Reads own properties only, because a typed name such as `toString` would find an inherited one.
 */
function findOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function toCandidates(words: readonly string[]): CompletionCandidate[] {
  return words.map((word) => ({ word }));
}

/** Short, because the user is waiting at the prompt. A daemon usually answers within 50 ms. */
const ANSWER_MS = 300;

interface NamedLegionLocation {
  readonly legion: string | undefined;
  readonly config: string | undefined;
}

/** Returns the issues as the daemon last saw them, without reading the board. */
async function readLiveIssues(
  context: CommandContext,
  location: NamedLegionLocation,
  isWanted: (card: DashboardCard) => boolean,
): Promise<readonly { readonly word: IssueId; readonly description: string }[]> {
  const board = await askQuickly(context, location, (daemon) =>
    daemon.call(dashboardEndpoints.board, { timeoutMs: ANSWER_MS }),
  );
  const wanted = (board?.cards ?? []).filter(isWanted);
  return wanted.map(({ id, title }) => ({ word: id, description: title }));
}

async function readLiveWorkers(
  context: CommandContext,
  location: NamedLegionLocation,
): Promise<readonly WorkerView[]> {
  const workers = await askQuickly(context, location, (daemon) =>
    daemon.call(workerEndpoints.list, { query: { finished: 'all' }, timeoutMs: ANSWER_MS }),
  );
  return workers ?? [];
}

/**
 * Queries the daemon. Returns undefined after any failure, so that completion then offers no ids
 * instead of printing an error.
 */
async function askQuickly<T>(
  context: CommandContext,
  { legion, config }: NamedLegionLocation,
  ask: (daemon: DaemonClient) => Promise<T>,
): Promise<T | undefined> {
  try {
    const { state } = findRunningLocation(context, {
      ...(legion === undefined ? {} : { legion }),
      ...(config === undefined ? {} : { config }),
    });
    return await ask(createDaemonClient(state, context.signal));
  } catch {
    return undefined;
  }
}

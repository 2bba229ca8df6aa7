/** The values that an argument or an option can have, found by the name of its placeholder in the help. */
import type { IssueId } from '../../core/model/ids.ts';
import { isFinished, STATUSES } from '../../core/model/status.ts';
import { isLive, isWaiting } from '../../domain/lifecycle.ts';
import { MODES, PHASES } from '../../domain/mode.ts';
import type { Card } from '../../protocol/dashboard.ts';
import { dashboardEndpoints } from '../../protocol/endpoints/dashboard.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import type { WorkerView } from '../../protocol/operator.ts';
import type { CommandContext } from '../command.ts';
import { type DaemonClient, daemonClient } from '../daemon-client.ts';
import { findRunningPlace } from '../legion-location.ts';
import { SHELLS } from './scripts.ts';
import type { TypedLine } from './typed-line.ts';

export interface Candidate {
  readonly word: string;
  readonly description?: string | undefined;
}

/** What a shell completes itself. */
export type Candidates = readonly Candidate[] | 'files';

const STATUS_WORDS = STATUSES.map((status) => status.toLowerCase().replaceAll(' ', '-'));
const FIXED: Readonly<Record<string, readonly string[]>> = {
  AGENT: ['claude-code', 'opencode', 'codex', 'scripted'],
  PHASE: PHASES,
  PRIORITY: ['urgent', 'high', 'medium', 'low', 'none'],
  SHELL: SHELLS,
  STAGE: [...STATUS_WORDS, ...PHASES],
  STATUS: STATUS_WORDS,
};
const FILES: readonly string[] = ['FILE', 'FOLDER', 'DIR', 'JOURNAL'];
const PAGES: readonly string[] = ['board', 'inbox', 'fleet'];
/** Commands about a worker that exists, each with the workers it can do something with. */
const WORKERS_FOR: Readonly<Record<string, (worker: WorkerView) => boolean>> = {
  attach: isRunning,
  logs: () => true,
  prompt: () => true,
  'reset-crashes': ({ crashes }) => crashes > 0,
  stop: isRunning,
  view: () => true,
};
/** Commands about some issues only; all others are offered the open ones. */
const ISSUES_FOR: Readonly<Record<string, (card: Card) => boolean>> = {
  answer: (card) => isOpen(card) && has(card, 'user-input-needed', 'user-feedback-given'),
  approve: (card) => isOpen(card) && has(card, 'needs-approval', 'human-approved'),
  pause: (card) => isOpen(card) && !card.labels.includes('legion-paused'),
  resume: (card) => isOpen(card) && card.labels.includes('legion-paused'),
  rollback: ({ pullRequest }) => pullRequest?.state === 'merged',
};

export async function listValues(
  placeholder: string,
  commandName: string,
  { positionals, values }: Pick<TypedLine, 'positionals' | 'values'>,
  context: CommandContext,
): Promise<Candidates> {
  const place = { legion: values.get('--legion'), config: values.get('--config') };
  const ofWorker = findOwn(WORKERS_FOR, commandName);
  const ofIssue = findOwn(ISSUES_FOR, commandName) ?? isOpen;
  switch (placeholder) {
    case 'ISSUE':
    case 'ISSUE|REPO':
      return ofWorker === undefined
        ? readLiveIssues(context, place, ofIssue)
        : listIssuesOf(await readWorkers(context, place, ofWorker));
    case 'PAGE|ISSUE':
      return [...toCandidates(PAGES), ...(await readLiveIssues(context, place, isOpen))];
    case 'MODE':
      return ofWorker === undefined
        ? toCandidates(MODES)
        : listModesOf(positionals[0] ?? '', await readWorkers(context, place, ofWorker));
    default:
      if (FILES.includes(placeholder)) return 'files';
      if (/^[a-z|]+$/.test(placeholder)) return toCandidates(placeholder.split('|'));
      return toCandidates(findOwn(FIXED, placeholder) ?? []);
  }
}

function listIssuesOf(workers: readonly WorkerView[]): Candidate[] {
  return [...new Set(workers.map(({ issue }) => issue))].map((word) => {
    const modes = workers.filter(({ issue }) => issue === word).map(({ mode }) => mode);
    return { word, description: modes.join(', ') };
  });
}

function listModesOf(issue: string, workers: readonly WorkerView[]): Candidate[] {
  const own = workers.filter((worker) => worker.issue.toLowerCase() === issue.toLowerCase());
  return own.map(({ mode, status }) => ({ word: mode, description: status }));
}

async function readWorkers(
  context: CommandContext,
  place: NamedPlace,
  isWanted: (worker: WorkerView) => boolean,
): Promise<readonly WorkerView[]> {
  return (await readLiveWorkers(context, place)).filter(isWanted);
}

function isRunning({ status, exit, stopping }: WorkerView): boolean {
  return exit === undefined && stopping === undefined && (isLive(status) || isWaiting(status));
}

function isOpen({ status }: Card): boolean {
  return !isFinished(status);
}

function has({ labels }: Card, due: string, settled: string): boolean {
  return labels.includes(due) && !labels.includes(settled);
}

/** Undefined also for a name such as `toString`. */
function findOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function toCandidates(words: readonly string[]): Candidate[] {
  return words.map((word) => ({ word }));
}

/** Somebody waits with a finger on the key; a daemon usually answers within 50 ms. */
const ANSWER_MS = 300;

interface NamedPlace {
  readonly legion: string | undefined;
  readonly config: string | undefined;
}

/** As the daemon saw them last: the board itself is not asked. */
async function readLiveIssues(
  context: CommandContext,
  place: NamedPlace,
  isWanted: (card: Card) => boolean,
): Promise<readonly { readonly word: IssueId; readonly description: string }[]> {
  const board = await askQuickly(context, place, (daemon) =>
    daemon.call(dashboardEndpoints.board, { timeoutMs: ANSWER_MS }),
  );
  const wanted = (board?.cards ?? []).filter(isWanted);
  return wanted.map(({ id, title }) => ({ word: id, description: title }));
}

async function readLiveWorkers(context: CommandContext, place: NamedPlace): Promise<readonly WorkerView[]> {
  const workers = await askQuickly(context, place, (daemon) =>
    daemon.call(workerEndpoints.list, { timeoutMs: ANSWER_MS }),
  );
  return workers ?? [];
}

/** Every failure means the same to the person: there are no ids to offer. */
async function askQuickly<T>(
  context: CommandContext,
  { legion, config }: NamedPlace,
  ask: (daemon: DaemonClient) => Promise<T>,
): Promise<T | undefined> {
  try {
    const { state } = findRunningPlace(context, {
      ...(legion === undefined ? {} : { legion }),
      ...(config === undefined ? {} : { config }),
    });
    return await ask(daemonClient(state, context.signal));
  } catch {
    return undefined;
  }
}

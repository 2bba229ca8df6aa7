/** The values that an argument or an option can have, found by the name of its placeholder in the help. */
import { isLive, isWaiting } from '../../domain/lifecycle.ts';
import { MODES, PHASES } from '../../domain/mode.ts';
import { isFinished, STATUSES } from '../../domain/status.ts';
import type { Card } from '../../protocol/dashboard.ts';
import type { WorkerView } from '../../protocol/operator.ts';
import type { CommandContext } from '../command.ts';
import { type NamedPlace, readLiveIssues, readLiveWorkers } from './live-ids.ts';
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

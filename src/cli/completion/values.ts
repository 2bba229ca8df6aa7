/** The values that an argument or an option can have, found by the name of its placeholder in the help. */
import { MODES, PHASES } from '../../domain/mode.ts';
import { STATUSES } from '../../domain/status.ts';
import type { CommandContext } from '../command.ts';
import { readLiveIssues, readLiveWorkers } from './live-ids.ts';
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
/** Commands about a worker that exists. */
const WORKER_COMMANDS: readonly string[] = ['attach', 'logs', 'prompt', 'reset-crashes', 'stop', 'view'];

export async function listValues(
  placeholder: string,
  commandName: string,
  { positionals, values }: Pick<TypedLine, 'positionals' | 'values'>,
  context: CommandContext,
): Promise<Candidates> {
  const place = { legion: values.get('--legion'), config: values.get('--config') };
  const isAboutWorker = WORKER_COMMANDS.includes(commandName);
  switch (placeholder) {
    case 'ISSUE':
    case 'ISSUE|REPO':
      return isAboutWorker ? listIssuesWithWorker(context, place) : readLiveIssues(context, place);
    case 'PAGE|ISSUE':
      return [...toCandidates(PAGES), ...(await readLiveIssues(context, place))];
    case 'MODE':
      return isAboutWorker ? listModesOf(positionals[0] ?? '', context, place) : toCandidates(MODES);
    default:
      if (FILES.includes(placeholder)) return 'files';
      if (/^[a-z|]+$/.test(placeholder)) return toCandidates(placeholder.split('|'));
      return toCandidates(Object.hasOwn(FIXED, placeholder) ? (FIXED[placeholder] ?? []) : []);
  }
}

type NamedPlace = Parameters<typeof readLiveWorkers>[1];

async function listIssuesWithWorker(context: CommandContext, place: NamedPlace): Promise<Candidate[]> {
  const workers = await readLiveWorkers(context, place);
  return [...new Set(workers.map(({ issue }) => issue))].map((word) => {
    const modes = workers.filter(({ issue }) => issue === word).map(({ mode }) => mode);
    return { word, description: modes.join(', ') };
  });
}

async function listModesOf(issue: string, context: CommandContext, place: NamedPlace): Promise<Candidate[]> {
  const workers = await readLiveWorkers(context, place);
  const own = workers.filter((worker) => worker.issue.toLowerCase() === issue.toLowerCase());
  return own.length === 0
    ? toCandidates(MODES)
    : own.map(({ mode, status }) => ({ word: mode, description: status }));
}

function toCandidates(words: readonly string[]): Candidate[] {
  return words.map((word) => ({ word }));
}

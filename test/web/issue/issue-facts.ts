/** What the daemon knows of one issue, and how it answers what the page of that issue asks. */
import type { CommentView, IssueView, PullRequestView, RevertView } from '../../../src/protocol/board.ts';
import type { CiView } from '../../../src/protocol/ci.ts';
import type { Attempt, Diff, StoryEntry } from '../../../src/protocol/dashboard.ts';
import type {
  AdvanceAnswer,
  Explanation,
  GatesView,
  HandoffsAnswer,
  WorkerView,
} from '../../../src/protocol/operator.ts';
import { busyDay } from '../support/facts.ts';
import type { Facts } from '../support/fixture.ts';

/** Bytes of one answer, as the daemon has it. */
const ANSWER_MOST_BYTES = 256 * 1_024;

export interface IssueFacts {
  issue: IssueView;
  comments: CommentView[];
  pullRequest: PullRequestView | null;
  revert?: RevertView;
  workers: WorkerView[];
  explanation: Explanation;
  story: StoryEntry[];
  gates: GatesView;
  ci: CiView;
  handoffs: HandoffsAnswer['handoffs'];
  attempts: Attempt[];
  diff: Diff;
  advance: AdvanceAnswer;
  /** By worker, attempt and stream: `demo-21-implement 2 out`. */
  logs: Record<string, string>;
  /** How each of them was asked for, as the query says it. */
  asked?: string[];
}

/** A legion in which somebody looks at this issue. */
export function dayOf(of: IssueFacts): Facts {
  return { ...busyDay(), answers: (route, query, body) => answerOf(of, route, query, body) };
}

function answerOf(of: IssueFacts, route: string, query: URLSearchParams, body: unknown): unknown {
  const { issue, comments, pullRequest, revert, workers } = of;
  const [, worker] = /^GET \/workers\/(.+)\/logs$/.exec(route) ?? [];
  if (worker !== undefined) return logsOf(of, worker, query);
  if (route === 'GET /workers') return workers;
  switch (route.replace(`/issues/${encodeURIComponent(issue.id)}`, '/issues/:id')) {
    case 'GET /issues/:id':
      return { issue, comments, pullRequest, revert, workers };
    case 'GET /issues/:id/explain':
      return of.explanation;
    case 'GET /issues/:id/gates':
      return of.gates;
    case 'GET /issues/:id/ci':
      return of.ci;
    case 'GET /issues/:id/handoffs':
      return { handoffs: of.handoffs };
    case 'GET /issues/:id/attempts':
      return of.attempts;
    case 'GET /issues/:id/diff':
      return of.diff;
    case 'GET /issues/:id/story':
      return storyOf(of, query);
    case 'POST /state/advance':
      return advanceOf(of, body);
    default:
      return route.startsWith('GET ') ? undefined : { says: `Done: ${route}` };
  }
}

function advanceOf({ advance, issue }: IssueFacts, body: unknown): AdvanceAnswer {
  if ((body as { dryRun?: boolean }).dryRun === true) return advance;
  return { ...advance, dryRun: false, advanced: true, says: `${issue.id} was advanced.` };
}

const PAGE = 40;

function storyOf({ story }: IssueFacts, query: URLSearchParams) {
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const earlier = story.filter(({ version }) => version < before);
  return { entries: earlier.slice(-PAGE), more: earlier.length > PAGE };
}

function logsOf({ logs, asked }: IssueFacts, worker: string, query: URLSearchParams) {
  asked?.push(String(query));
  const attempt = Number(query.get('attempt'));
  const written = bytesOf(logs[`${worker} ${attempt} ${query.get('stream')}`] ?? '');
  const offset = query.has('last')
    ? lineNearEnd(written, Number(query.get('last')))
    : Number(query.get('offset'));
  const part = written.subarray(offset, offset + ANSWER_MOST_BYTES);
  const nextOffset = offset + part.length;
  return { worker, attempt, offset, text: part.toString(), nextOffset, more: nextOffset < written.length };
}

function lineNearEnd(written: Buffer, bytes: number): number {
  const from = written.length - bytes;
  return from <= 0 ? 0 : written.indexOf('\n', from - 1) + 1;
}

/** Of the last text that was asked for: a long one is read in many parts. */
let known = { text: '', bytes: Buffer.alloc(0) };

function bytesOf(text: string): Buffer {
  if (known.text !== text) known = { text, bytes: Buffer.from(text) };
  return known.bytes;
}

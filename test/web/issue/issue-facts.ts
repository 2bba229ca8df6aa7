/** The daemon's data about one issue, and its responses to the issue page. */
import type { CommentView, IssueView, PullRequestView, RevertView } from '../../../src/protocol/board.ts';
import type { CiView } from '../../../src/protocol/ci.ts';
import type { AttemptView, StoryEntry } from '../../../src/protocol/dashboard.ts';
import type {
  AdvanceAnswer,
  GatesView,
  HandoffsAnswer,
  IssueExplanation,
} from '../../../src/protocol/operator.ts';
import type { IssueDiff } from '../../../src/protocol/repository.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { createBusyDay } from '../support/facts.ts';
import type { Facts } from '../support/fixture.ts';

/** Maximum bytes of one response, as in the daemon. */
const MAX_ANSWER_BYTES = 256 * 1_024;

export interface IssueFacts {
  issue: IssueView;
  comments: CommentView[];
  pullRequest: PullRequestView | null;
  revert?: RevertView;
  workers: WorkerView[];
  explanation: IssueExplanation;
  story: StoryEntry[];
  gates: GatesView;
  ci: CiView;
  handoffs: HandoffsAnswer['handoffs'];
  attempts: AttemptView[];
  diff: IssueDiff;
  advance: AdvanceAnswer;
  /** Keyed by worker, attempt and stream: `demo-21-implement 2 out`. */
  logs: Record<string, string>;
  /** Query strings of all log requests. */
  logRequests?: string[];
}

/** Data of a legion whose dashboard shows this issue. */
export function createIssueFacts(of: IssueFacts): Facts {
  return { ...createBusyDay(), answerRoute: (route, query, body) => answerRoute(of, route, query, body) };
}

function answerRoute(of: IssueFacts, route: string, query: URLSearchParams, body: unknown): unknown {
  const { issue, comments, pullRequest, revert, workers } = of;
  const [, worker] = /^GET \/workers\/(.+)\/logs$/.exec(route) ?? [];
  if (worker !== undefined) return answerLogs(of, worker, query);
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
      return answerStory(of, query);
    case 'POST /state/advance':
      return answerAdvance(of, body);
    default:
      return route.startsWith('GET ') ? undefined : { says: `Done: ${route}` };
  }
}

function answerAdvance({ advance, issue }: IssueFacts, body: unknown): AdvanceAnswer {
  if ((body as { dryRun?: boolean }).dryRun === true) return advance;
  return { ...advance, dryRun: false, advanced: true, says: `${issue.id} was advanced.` };
}

const PAGE = 40;

function answerStory({ story }: IssueFacts, query: URLSearchParams) {
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const earlier = story.filter(({ version }) => version < before);
  return { entries: earlier.slice(-PAGE), more: earlier.length > PAGE };
}

function answerLogs({ logs, logRequests }: IssueFacts, worker: string, query: URLSearchParams) {
  logRequests?.push(String(query));
  const attempt = Number(query.get('attempt'));
  const written = toBytes(logs[`${worker} ${attempt} ${query.get('stream')}`] ?? '');
  const offset = query.has('last')
    ? findLineNearEnd(written, Number(query.get('last')))
    : Number(query.get('offset'));
  const part = written.subarray(offset, offset + MAX_ANSWER_BYTES);
  const nextOffset = offset + part.length;
  return { worker, attempt, offset, text: part.toString(), nextOffset, more: nextOffset < written.length };
}

function findLineNearEnd(written: Buffer, bytes: number): number {
  const from = written.length - bytes;
  return from <= 0 ? 0 : written.indexOf('\n', from - 1) + 1;
}

/** Keeps the last requested text, because a long text is read in many parts. */
let lastText = { text: '', bytes: Buffer.alloc(0) };

function toBytes(text: string): Buffer {
  if (lastText.text !== text) lastText = { text, bytes: Buffer.from(text) };
  return lastText.bytes;
}

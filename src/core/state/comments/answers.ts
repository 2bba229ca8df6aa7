/**
 * Matches people's comments with a worker's open questions, and records the comments that answer a
 * question. A comment that answers no question is classified, so that Legion can explain why it was
 * not accepted as an answer.
 */
import type { EventBody } from '../../model/event.ts';
import type { IssueId } from '../../model/ids.ts';
import type { Issue } from '../../model/issue.ts';
import type { ObservedIssue, PersonComment } from '../../model/observed-issue.ts';
import { computeEffectiveLabels } from '../effective-labels.ts';
import { buildFeedbackEvent, listOpenQuestions } from '../issues.ts';
import type { LegionState, QuestionRecord } from '../state.ts';

type IssueLabels = Pick<Issue, 'id' | 'labels'>;

/**
 * External trackers store whole seconds, so a comment in the same second as the question is
 * accepted as its answer.
 */
const SECOND_MS = 1_000;

/**
 * How long comments are still read after an answer was recorded. Within this time, a person may
 * answer without having seen the first answer.
 */
const LATE_ANSWER_MS = 60 * 60_000;

/**
 * Returns the time at which the oldest open question was asked, or at which Legion began to wait
 * for a person. Undefined if the issue does not wait for an answer. On an external tracker, a
 * person's comment after that time is accepted as the answer, so that the person does not have to
 * set a label.
 */
function findAnswerWaitStart(state: LegionState, issue: IssueLabels): number | undefined {
  const labels = computeEffectiveLabels(issue.labels, state, issue.id);
  if (!labels.has('user-input-needed') || labels.has('user-feedback-given')) return undefined;
  const [oldest] = listOpenQuestions(state, issue.id, labels);
  const decision = state.issues.get(issue.id)?.decision;
  const since = oldest?.askedAt ?? (decision?.reason === 'waits_for_answer' ? decision.since : undefined);
  return since === undefined ? undefined : floorToSecond(since);
}

/**
 * Returns the time since which people's comments matter: since the issue began to wait, or since
 * the newest question if its answer is recent. Undefined if no comment matters.
 */
export function findCommentsStart(state: LegionState, issue: IssueLabels, now: number): number | undefined {
  const waiting = findAnswerWaitStart(state, issue);
  if (waiting !== undefined) return waiting;
  const { questions = {}, lastQuestion = 0 } = state.issues.get(issue.id) ?? {};
  const { askedAt, answer } = questions[lastQuestion] ?? {};
  const isRecent = answer !== undefined && now - answer.at < LATE_ANSWER_MS;
  return isRecent && askedAt !== undefined ? floorToSecond(askedAt) : undefined;
}

export type CommentVerdict =
  | { readonly kind: 'answer'; readonly question: number; readonly text: string }
  /** Ends a wait that was not caused by a worker's question. */
  | { readonly kind: 'feedback' }
  /** Several questions are open, and the comment names none of them. */
  | { readonly kind: 'unclear'; readonly open: readonly number[] }
  /** The question already has an answer, which stays. */
  | { readonly kind: 'late'; readonly question: number; readonly first: RecordedAnswer };

type RecordedAnswer = Pick<NonNullable<QuestionRecord['answer']>, 'by' | 'text'>;

interface JudgedComment {
  readonly comment: PersonComment;
  readonly verdict: CommentVerdict;
}

/** Judges comments in the order in which they were posted. Leaves out those that need no reply. */
export function judgeComments(
  state: LegionState,
  { issue, said = [] }: Pick<ObservedIssue, 'issue' | 'said'>,
): readonly JudgedComment[] {
  const { questions = {} } = state.issues.get(issue.id) ?? {};
  const labels = computeEffectiveLabels(issue.labels, state, issue.id);
  const since = findAnswerWaitStart(state, issue);
  let open = since === undefined ? [] : listOpenQuestions(state, issue.id, labels);
  let waitsForAny = since !== undefined && open.length === 0;
  const answers = new Map<number, RecordedAnswer & { readonly until: number }>();
  for (const [number, { answer }] of Object.entries(questions))
    if (answer !== undefined) answers.set(Number(number), { ...answer, until: answer.at });
  const recorded = new Set(Object.values(questions).map(({ answer }) => answer?.comment));

  function judge(comment: PersonComment): CommentVerdict | undefined {
    const { author, at } = comment;
    const named = parseNamedQuestion(comment.text);
    const possible = open.filter(({ askedAt }) => floorToSecond(askedAt) <= at);
    const [only, ...others] =
      named === undefined ? possible : possible.filter(({ question }) => question === named.question);
    if (only !== undefined && others.length > 0)
      return { kind: 'unclear', open: possible.map(({ question }) => question) };
    if (only !== undefined) {
      const text = named?.text ?? comment.text;
      open = open.filter((each) => each !== only);
      // Until the answer is recorded, nobody can know of it.
      answers.set(only.question, { by: author, text, until: Number.POSITIVE_INFINITY });
      return { kind: 'answer', question: only.question, text };
    }
    if (waitsForAny && since !== undefined && at >= since) {
      waitsForAny = false;
      return { kind: 'feedback' };
    }
    const question = named?.question ?? Math.max(...answers.keys());
    const first = answers.get(question);
    const isAfter = at >= floorToSecond(questions[question]?.askedAt ?? Number.POSITIVE_INFINITY);
    // A comment without a question number counts as a late answer only if its author may not have
    // seen the first answer.
    const isMeant = named !== undefined || (first !== undefined && at <= first.until && first.by !== author);
    return first !== undefined && isAfter && isMeant ? { kind: 'late', question, first } : undefined;
  }

  return said.flatMap((comment) => {
    const verdict = recorded.has(comment.id) ? undefined : judge(comment);
    return verdict === undefined ? [] : [{ comment, verdict }];
  });
}

/**
 * Records people's answers. Called when the events are written, because a command may have answered
 * in between.
 */
export function detectAnswers(state: LegionState, observed: readonly ObservedIssue[]): EventBody[] {
  return observed.flatMap((each): EventBody[] => {
    const judged = judgeComments(state, each);
    const answers = judged.flatMap((one) => toAnswerEvents(each.issue.id, one));
    const isAnswered = answers.length > 0 || judged.some(({ verdict }) => verdict.kind === 'feedback');
    return isAnswered ? [...answers, buildFeedbackEvent(state, each.issue.id)] : [];
  });
}

function toAnswerEvents(issue: IssueId, { comment, verdict }: JudgedComment): EventBody[] {
  if (verdict.kind !== 'answer') return [];
  const { question, text } = verdict;
  return [{ type: 'question.answered', issue, question, by: comment.author, text, comment: comment.id }];
}

/** Reads the number of the question that a comment names at its start, such as `Question 2: JSON`. */
function parseNamedQuestion(text: string): { readonly question: number; readonly text: string } | undefined {
  const [prefix, number] = /^[\s>*_]*(?:question|q)\s*#?(\d{1,9})\b[\s*_]*[:.,)–-]*\s*/i.exec(text) ?? [];
  if (prefix === undefined || number === undefined) return undefined;
  const rest = text.slice(prefix.length).trim();
  return rest === '' ? undefined : { question: Number(number), text: rest };
}

function floorToSecond(time: number): number {
  return time - (time % SECOND_MS);
}

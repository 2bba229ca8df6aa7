/**
 * Builds the comments that show a worker's questions on the issue: each question, how it ended, and
 * what became of people's comments.
 */
import type { Command } from '../../model/command.ts';
import { toPlainLine, truncateText } from '../../model/format.ts';
import type { Issue } from '../../model/issue.ts';
import type { ObservedIssue } from '../../model/observed-issue.ts';
import { computeEffectiveLabels } from '../effective-labels.ts';
import { listOpenQuestions } from '../issues.ts';
import type { IssueRecord, LegionState, QuestionRecord } from '../state.ts';
import { type CommentVerdict, judgeComments } from './answers.ts';

type PutComment = Extract<Command, { kind: 'put_comment' }>;

/** Maximum characters of a question or an answer that is quoted in one line. */
const MAX_QUOTE_CHARACTERS = 200;

/** Returns the comments that are due. Each is written once per revision. */
export function buildQuestionComments(state: LegionState, observed: ObservedIssue): readonly PutComment[] {
  const { issue } = observed;
  const record = state.issues.get(issue.id);
  if (record === undefined || Object.keys(record.questions).length === 0) return [];
  const labels = computeEffectiveLabels(issue.labels, state, issue.id);
  const open = new Set(listOpenQuestions(state, issue.id, labels).map(({ question }) => question));
  const comments = Object.entries(record.questions).flatMap(([number, question]) =>
    buildComments(record, issue, Number(number), question, open.has(Number(number))),
  );
  const replies = judgeComments(state, observed).flatMap(({ comment, verdict }): readonly PutComment[] => {
    const text = buildReply(record, comment.author, verdict);
    const key = `${issue.id}:reply:${comment.id}`;
    return text === undefined
      ? []
      : [{ kind: 'put_comment', issue: issue.id, key, revision: verdict.kind, text }];
  });
  return [...comments, ...replies].filter(({ key, revision }) => record.comments[key] !== revision);
}

function buildComments(
  record: IssueRecord,
  issue: Issue,
  number: number,
  question: QuestionRecord,
  isOpen: boolean,
): readonly PutComment[] {
  const key = `${issue.id}:question:${number}`;
  const { answer } = question;
  const revision = answer === undefined ? (isOpen ? 'open' : 'closed') : 'answered';
  const recorded = answer && describeRecorded(number, question, answer);
  const wasShown = record.comments[key] !== undefined;
  // A question that ended before it was posted needs no comment any more.
  const shown: readonly PutComment[] =
    isOpen || wasShown
      ? [
          {
            kind: 'put_comment',
            issue: issue.id,
            key,
            revision,
            text: [
              `**Question ${number}** of the ${question.mode} worker:`,
              question.text,
              recorded ??
                (isOpen
                  ? explainHowToAnswer(issue, number)
                  : 'Closed without an answer: the worker no longer waits for one.'),
            ].join('\n\n'),
          },
        ]
      : [];
  if (recorded === undefined || answer?.comment === undefined) return shown;
  // An edit notifies nobody, so the person who commented gets a new comment.
  const acknowledgement: PutComment = {
    kind: 'put_comment',
    issue: issue.id,
    key: `${issue.id}:recorded:${number}`,
    revision: 'recorded',
    text: recorded,
  };
  return [...shown, acknowledgement];
}

function describeRecorded(
  number: number,
  { text }: QuestionRecord,
  { by, text: answer }: NonNullable<QuestionRecord['answer']>,
): string {
  return `Recorded as the answer to question ${number} (${quote(text)}), by ${toPlainLine(by)}: ${quote(answer)}`;
}

function explainHowToAnswer({ id, source }: Issue, number: number): string {
  const command = `\`legion answer ${id} "…"\``;
  if (source.kind === 'local') return `To answer, run ${command}.`;
  return `To answer, comment on this issue, or run ${command}. If several questions are open, begin the comment with \`Question ${number}:\`.`;
}

/** Replies only to comments that someone may have meant as an answer. */
function buildReply(record: IssueRecord, author: string, verdict: CommentVerdict): string | undefined {
  if (verdict.kind === 'unclear') {
    const questions = verdict.open.map(
      (number) => `- \`Question ${number}:\` ${quote(record.questions[number]?.text ?? '')}`,
    );
    return [
      `Several questions are open, so the comment by ${toPlainLine(author)} was not recorded as an answer. Which question does it answer? Comment again and begin with one of these:`,
      ...questions,
    ].join('\n');
  }
  if (verdict.kind === 'late') {
    const { by, text } = verdict.first;
    return `Question ${verdict.question} already has an answer, by ${toPlainLine(by)}: ${quote(text)} The comment by ${toPlainLine(author)} was not recorded as an answer.`;
  }
  return undefined;
}

function quote(text: string): string {
  return `“${truncateText(toPlainLine(text), MAX_QUOTE_CHARACTERS)}”`;
}

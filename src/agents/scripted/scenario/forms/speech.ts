/** The steps that speak to the daemon: each is a verb of a worker, held to that verb's own schema. */
import { VERBS } from '../../../../protocol/verb.ts';
import { type Form, orNothing, orText } from '../form.ts';

export const SPEECH = {
  issue: { input: orNothing(VERBS.issue.input), allowed: 'true' },
  status: { input: orNothing(orText('text', VERBS.status.input)), allowed: 'true, or a text' },
  checkpoint: {
    input: orText('stage', VERBS.checkpoint.input),
    allowed: 'a stage, or { stage, completed, remaining, lastAction }',
  },
  handoff: {
    input: orText('summary', VERBS.handoff_write.input),
    allowed: 'a summary, or { summary, decided, done, left, files, tests, details }',
  },
  handoff_read: { input: orNothing(VERBS.handoff_read.input), allowed: 'true, or { phase }' },
  comment: { input: orText('text', VERBS.comment.input), allowed: 'a text, or { text, key }' },
  message: { input: VERBS.message.input, allowed: '{ to, text }' },
  ask: { input: orText('question', VERBS.ask.input), allowed: 'a question' },
  split: {
    input: VERBS.split.input,
    allowed: '{ revision, children: a list of { title, body, labels, priority, after } }',
  },
  push: { input: orNothing(VERBS.push.input), allowed: 'true' },
  pr_open: { input: VERBS.pr_open.input, allowed: '{ title, body, draft }' },
  pr_edit: { input: VERBS.pr_edit.input, allowed: '{ title, body }, one of them or both' },
  pr_show: { input: orNothing(VERBS.pr_show.input), allowed: 'true' },
  ci: { input: orNothing(VERBS.ci.input), allowed: 'true' },
  pr_ready: { input: orNothing(VERBS.pr_ready.input), allowed: 'true' },
  verdict: {
    input: orText('result', VERBS.verdict.input),
    allowed: 'pass or fail, or { result, suites, detail }',
  },
  review: { input: VERBS.review.input, allowed: '{ verdict: approve or request-changes, text }' },
  plan_review: { input: VERBS.plan_review.input, allowed: '{ verdict: approve or request-changes, text }' },
  merge: { input: orNothing(VERBS.merge.input), allowed: 'true' },
  done: { input: orText('summary', VERBS.done.input), allowed: 'a summary, or { summary, sentBack }' },
  error: { input: orText('summary', VERBS.error.input), allowed: 'a summary' },
} as const satisfies Readonly<Record<string, Form>>;

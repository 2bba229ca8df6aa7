/** A verb's input as JSON Schema: what `legion worker` makes its options of, and what `legion mcp` shows an agent. */
import { z } from 'zod';
import type { VerbInput } from '../protocol/verb.ts';
import { VERBS, type VerbName } from '../protocol/verb.ts';

/** A type and not an interface, so that it passes for a plain record too. */
export type InputSchema = {
  readonly type: 'object';
  readonly properties: Record<string, z.core.JSONSchema.BaseSchema>;
  readonly required: string[];
  readonly additionalProperties: false;
};

export function inputSchemaOf(verb: VerbName): InputSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(VERBS[verb].input, { io: 'input' });
  const words: Readonly<Record<string, string>> = FIELD_WORDS[verb];
  const described = Object.entries(properties).map(([name, field]) => [
    name,
    { ...(typeof field === 'object' ? field : {}), description: words[name] ?? name },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described),
    required,
    additionalProperties: false,
  };
}

/** One line about each field of a verb's input, for the help of the command and the schema of the tool. */
type FieldWords = { readonly [V in VerbName]: { readonly [K in keyof VerbInput<V>]-?: string } };

const FIELD_WORDS: FieldWords = {
  issue: {},
  done: {
    summary: 'what was done and how one can see it',
    sentBack: 'test and merge: send the work back to the implementer; what is wrong with it, and why',
  },
  error: { summary: 'what is in the way and what was tried' },
  ask: { question: 'the question, with what was found out and which answers are possible' },
  checkpoint: {
    stage: 'where the work is',
    completed: 'what is done and need not be done again',
    remaining: 'what is still to do',
    lastAction: 'the last thing that was done',
  },
  handoff_read: { phase: 'the phase whose handoff is wanted; all where it is left out' },
  handoff_write: {
    summary: 'what a later phase must know first',
    decided: 'a decision and its reason',
    done: 'something that was done',
    left: 'something that is left to do',
    files: 'a file that was made or changed',
    tests: 'a test that was run and its result',
    details: 'anything more, as JSON',
  },
  comment: { text: 'the comment', key: 'the same key again is the same comment' },
  split: {
    revision: 'the same revision again changes nothing',
    children: 'the sub-issues, in order; `after` names those that come first by their place, from 0',
  },
  push: {},
  pr_open: {
    title: 'its title',
    body: 'its text; it names the issue with a closing keyword',
    draft: 'not ready for review yet',
  },
  pr_edit: { title: 'the new title', body: 'the new text' },
  pr_show: {},
  pr_ready: {},
  ci: {},
  verdict: {
    result: 'pass or fail',
    suites: 'a suite that was run, such as unit or e2e',
    detail: 'what was run, what failed and how to see it again',
  },
  review: { verdict: 'approve or request-changes', text: 'the review' },
  plan_review: { verdict: 'approve or request-changes', text: 'the reasons' },
  merge: {},
  message: { to: 'a worker’s id, such as demo-1-implement, or a role', text: 'the message' },
  status: { text: 'what you are doing' },
};

/**
 * Converts a verb's input to JSON Schema, from which the options of `legion worker` and the tools
 * of `legion mcp` are derived.
 */
import { z } from 'zod';
import { VERBS, type VerbInput, type VerbName } from '../protocol/verb.ts';

/** A type rather than an interface, so that it is assignable to a plain record. */
export type InputSchema = {
  readonly type: 'object';
  readonly properties: Record<string, z.core.JSONSchema.BaseSchema>;
  readonly required: string[];
  readonly additionalProperties: false;
};

export function buildInputSchema(verb: VerbName): InputSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(VERBS[verb].input, { io: 'input' });
  const descriptions: Readonly<Record<string, string>> = FIELD_DESCRIPTIONS[verb];
  const described = Object.entries(properties).map(([name, field]) => [
    name,
    { ...(typeof field === 'object' ? field : {}), description: descriptions[name] ?? name },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described),
    required,
    additionalProperties: false,
  };
}

/** One-line descriptions of each verb's fields, for the command's help and the tool's schema. */
type FieldDescriptions = { readonly [V in VerbName]: { readonly [K in keyof VerbInput<V>]-?: string } };

const FIELD_DESCRIPTIONS: FieldDescriptions = {
  issue: {},
  done: {
    summary: 'what was done and how to verify it',
    sentBack: 'test and merge only: send the work back to the implementer; state what is wrong and why',
  },
  error: { summary: 'what is blocking the work and what was tried' },
  ask: { question: 'the question, with your findings and the possible answers' },
  checkpoint: {
    stage: 'current stage of the work',
    completed: 'what is done and need not be done again',
    remaining: 'what remains to be done',
    lastAction: 'the last thing that was done',
  },
  handoff_read: { phase: 'the phase whose handoff to read; all phases if omitted' },
  handoff_write: {
    summary: 'what a later phase must know first',
    decided: 'a decision and its reason',
    done: 'something that was done',
    left: 'something that is left to do',
    files: 'a file that was created or changed',
    tests: 'a test that was run and its result',
    testSuiteResults: 'the suites that ran, as a JSON object of suite and result',
    details: 'additional data, as a JSON object',
  },
  comment: { text: 'the comment', key: 'reusing a key does not create a second comment' },
  split: {
    revision: 'repeating a revision changes nothing',
    children:
      'the sub-issues, in order; `after` lists the indexes (from 0) of the sub-issues that must be done first',
  },
  push: {},
  pr_open: {
    title: 'its title',
    body: 'its text; must reference the issue with a closing keyword',
    draft: 'not ready for review yet',
  },
  pr_edit: { title: 'the new title', body: 'the new text' },
  pr_show: {},
  pr_ready: {},
  ci: {},
  verdict: {
    result: 'pass or fail',
    suites: 'a suite that was run, such as unit or e2e',
    detail: 'what was run, what failed and how to reproduce it',
  },
  review: { verdict: 'approve or request-changes', text: 'the review' },
  plan_review: { verdict: 'approve or request-changes', text: 'the reasons' },
  merge: {},
  message: { to: 'a worker’s id, such as demo-1-implement, or a role', text: 'the message' },
  status: {
    text: 'what you are doing; `working` asks for more time if you were asked to stop',
    reason: 'with `working`: why you need more time',
  },
};

/** How each verb is called on the command line; its options come from the verb's own schema. */
import type { VerbName } from '../../../protocol/verb.ts';

export interface Layout {
  /** After `legion worker`. */
  readonly words: readonly [string, ...string[]];
  /** Fields that are given without an option, in this order; only the last may be left out. */
  readonly bare?: readonly string[];
  /** The option that reads a file, and the field it is the text of; the whole input as JSON where no field is named. */
  readonly file?: { readonly option: string; readonly field?: string };
  /** Options with another name than their field, as commander names their values. */
  readonly named?: Readonly<Record<string, string>>;
}

const textOf = (field: string) => ({ option: 'file', field });
const json = { option: 'file' };
const body = { option: 'bodyFile', field: 'body' };

export const LAYOUTS: Readonly<Record<VerbName, Layout>> = {
  issue: { words: ['issue'] },
  done: { words: ['done'], bare: ['summary'], file: textOf('summary') },
  error: { words: ['error'], bare: ['summary'], file: textOf('summary') },
  ask: { words: ['ask'], bare: ['question'], file: textOf('question') },
  checkpoint: { words: ['checkpoint'], bare: ['stage'], file: json },
  handoff_read: { words: ['handoff', 'read'], bare: ['phase'] },
  handoff_write: {
    words: ['handoff', 'write'],
    bare: ['summary'],
    file: json,
    named: { files: 'path', tests: 'test' },
  },
  comment: { words: ['comment'], bare: ['text'], file: textOf('text') },
  split: { words: ['split'], file: json },
  push: { words: ['push'] },
  pr_open: { words: ['pr', 'open'], file: body },
  pr_edit: { words: ['pr', 'edit'], file: body },
  pr_show: { words: ['pr', 'show'] },
  ci: { words: ['ci'] },
  pr_ready: { words: ['pr', 'ready'] },
  verdict: {
    words: ['verdict'],
    bare: ['result', 'detail'],
    file: textOf('detail'),
    named: { suites: 'suite' },
  },
  review: { words: ['review'], bare: ['verdict', 'text'], file: textOf('text') },
  plan_review: { words: ['plan-review'], bare: ['verdict', 'text'], file: textOf('text') },
  merge: { words: ['merge'] },
  message: { words: ['message'], bare: ['to', 'text'], file: textOf('text') },
  status: { words: ['status'], bare: ['text'], file: textOf('text') },
};

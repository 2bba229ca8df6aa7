/** What may enter a board from outside: how long a text may be, and what it may not contain. */
import { z } from 'zod';
import { type IssueId, issueIdSchema, readIssueId } from '../../../core/model/ids.ts';
import { STATUSES } from '../../../core/model/status.ts';
import { decode } from '../../../domain/decode.ts';
import { LABELS } from '../../../domain/label.ts';
import { unwrap } from '../../../lib/result.ts';

/** Characters; what GitHub allows, so that an issue can move there. */
const TITLE_MAX = 256;
/** Bytes, as a text is stored: a long log pasted whole fits, a board of thousands still fits into memory. */
const TEXT_MAX_KIB = 256;
/** Characters; what GitHub allows. */
const LABEL_MAX = 50;
/** Labels or blockers of one issue: more than a person can read, less than could slow the board. */
const LIST_MAX = 100;
/** Characters of a person's name; GitHub's are at most 39, an e-mail address seldom above 100. */
const AUTHOR_MAX = 100;
/** Characters of a key, which may hold the evidence of a decision. */
const KEY_MAX = 16_384;
/** Characters of an id before its number: the rest of an id's length is for mode, folder and branch names. */
const PREFIX_MAX = 20;

const whole = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'holds a NUL or half a character');
/** Marks that turn the direction of writing around, and invisible tags, make one line look like another. */
const MISLEADING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
/** Flags such as that of Scotland are written with tags. */
const TAGGED_FLAG = /\u{1f3f4}[\u{e0020}-\u{e007f}]+/gu;

const line = whole
  .refine((text) => !/\p{Cc}/u.test(text), 'contains a control character')
  .refine(
    (text) => !MISLEADING.test(text.replace(TAGGED_FLAG, '')),
    'contains invisible characters that change how it reads',
  );

const title = line.max(TITLE_MAX).refine((text) => text.trim() !== '', 'must not be empty');
const text = whole.refine(
  (given) => Buffer.byteLength(given) <= TEXT_MAX_KIB * 1_024,
  `is larger than ${TEXT_MAX_KIB} KiB`,
);
const label = line
  .max(LABEL_MAX)
  .refine((name) => name.trim() === name && name !== '', 'must have no blank ends');
const priority = z.literal([0, 1, 2, 3, 4]);
const status = z.enum(STATUSES);
const labels = z.array(label).max(LIST_MAX);

function labelChange<T extends z.ZodType<string>>(name: T) {
  return z
    .strictObject({ add: z.array(name).max(LIST_MAX), remove: z.array(name).max(LIST_MAX) })
    .refine(({ add, remove }) => !add.some((each) => remove.includes(each)), 'has a label in both lists');
}

export const keySchema = whole.min(1).max(KEY_MAX);
export const authorSchema = line.max(AUTHOR_MAX).refine((name) => name.trim() !== '', 'must not be empty');
export const commentSchema = text.refine((given) => given.trim() !== '', 'must not be empty');
export const statusSchema = status;
export const timeSchema = z.number();
export const prefixSchema = z
  .string()
  .max(PREFIX_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9]*$/, 'must be letters and digits, beginning with a letter');

export const anyLabelChangeSchema = labelChange(label);

export const issueChangeSchema = z.strictObject({
  moveTo: status.optional(),
  labels: labelChange(z.enum(LABELS)),
});

const issueList = z.array(issueIdSchema).max(LIST_MAX);

export const editSchema = z.strictObject({
  title: title.optional(),
  body: text.optional(),
  priority: priority.optional(),
  labels: anyLabelChangeSchema.optional(),
  blockers: z
    .strictObject({ add: issueList, remove: issueList })
    .refine(({ add, remove }) => !add.some((each) => remove.includes(each)), 'has an issue in both lists')
    .optional(),
  expected: z
    .strictObject({
      title: z.string().optional(),
      body: z.string().optional(),
      priority: priority.optional(),
    })
    .optional(),
});

export const newIssueSchema = z.strictObject({
  title,
  body: text,
  status,
  labels,
  priority,
  blockedBy: z.array(issueIdSchema).max(LIST_MAX),
  parent: issueIdSchema.optional(),
});

export function accepted<T>(schema: z.ZodType<T>, data: unknown, what: string): T {
  return unwrap(decode(schema, data, what));
}

export function acceptedId(id: unknown): IssueId {
  return unwrap(readIssueId(typeof id === 'string' ? id : String(id)));
}

/** Validates input to a local board: text lengths, forbidden characters and field values. */
import { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { type IssueId, issueIdSchema, readIssueId } from '../../../core/model/ids.ts';
import { LABELS } from '../../../core/model/label.ts';
import { STATUSES } from '../../../core/model/status.ts';
import { unwrap } from '../../../lib/result.ts';

/** Maximum length in characters. Equals GitHub's limit, so that an issue can move to GitHub. */
const TITLE_MAX = 256;
/**
 * Maximum size in KiB of stored text. Fits a long pasted log, while a board of thousands of issues
 * still fits into memory.
 */
const TEXT_MAX_KIB = 256;
/** Maximum length in characters. Equals GitHub's limit. */
const LABEL_MAX = 50;
/**
 * Maximum number of labels or blockers of one issue: more than a person would read, but too few to
 * slow down the board.
 */
const LIST_MAX = 100;
/**
 * Maximum number of characters in a person's name. GitHub's names have at most 39, and e-mail
 * addresses rarely have more than 100.
 */
const AUTHOR_MAX = 100;
/** Maximum number of characters in a key, which may contain the evidence of a decision. */
const KEY_MAX = 16_384;
/**
 * Maximum number of characters in an id before its number. The rest of the length is reserved for
 * mode, directory and branch names.
 */
const PREFIX_MAX = 20;

const whole = z
  .string()
  .refine(
    (text) => text.isWellFormed() && !text.includes('\0'),
    'contains a NUL character or a lone surrogate',
  );
/** Text direction overrides and invisible tag characters can make one line look like another. */
const MISLEADING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
/** Matches flags such as Scotland's, which are encoded with tag characters. */
const TAGGED_FLAG = /\u{1f3f4}[\u{e0020}-\u{e007f}]+/gu;

const line = whole
  .refine((text) => !/\p{Cc}/u.test(text), 'contains a control character')
  .refine(
    (text) => !MISLEADING.test(text.replace(TAGGED_FLAG, '')),
    'contains invisible characters that change how it is displayed',
  );

const title = line.max(TITLE_MAX).refine((text) => text.trim() !== '', 'must not be empty');
const text = whole.refine(
  (content) => Buffer.byteLength(content) <= TEXT_MAX_KIB * 1_024,
  `is larger than ${TEXT_MAX_KIB} KiB`,
);
const label = line
  .max(LABEL_MAX)
  .refine((name) => name.trim() === name && name !== '', 'must not be empty, or start or end with a space');
const priority = z.literal([0, 1, 2, 3, 4]);
const status = z.enum(STATUSES);
const labels = z.array(label).max(LIST_MAX);

function defineLabelChange<T extends z.ZodType<string>>(name: T) {
  return z
    .strictObject({ add: z.array(name).max(LIST_MAX), remove: z.array(name).max(LIST_MAX) })
    .refine(
      ({ add, remove }) => !add.some((each) => remove.includes(each)),
      'has the same label in both lists',
    );
}

export const keySchema = whole.min(1).max(KEY_MAX);
export const authorSchema = line.max(AUTHOR_MAX).refine((name) => name.trim() !== '', 'must not be empty');
export const commentSchema = text.refine((content) => content.trim() !== '', 'must not be empty');
export const statusSchema = status;
export const timeSchema = z.number();
export const prefixSchema = z
  .string()
  .max(PREFIX_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9]*$/, 'must be letters and digits, beginning with a letter');

export const anyLabelChangeSchema = defineLabelChange(label);

export const issueChangeSchema = z.strictObject({
  moveTo: status.optional(),
  labels: defineLabelChange(z.enum(LABELS)),
});

const issueList = z.array(issueIdSchema).max(LIST_MAX);

export const editSchema = z.strictObject({
  title: title.optional(),
  body: text.optional(),
  priority: priority.optional(),
  labels: anyLabelChangeSchema.optional(),
  blockers: z
    .strictObject({ add: issueList, remove: issueList })
    .refine(
      ({ add, remove }) => !add.some((each) => remove.includes(each)),
      'has the same issue in both lists',
    )
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

export function requireInput<T>(schema: z.ZodType<T>, data: unknown, subject: string): T {
  return unwrap(decode(schema, data, subject));
}

export function requireLocalIssueId(id: unknown): IssueId {
  return unwrap(readIssueId(typeof id === 'string' ? id : String(id)));
}

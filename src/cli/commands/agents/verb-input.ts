/** Builds a verb's input from its command line, and defines how each verb is called. */

import { LegionError } from '../../../core/model/fault.ts';
import type { VerbName } from '../../../protocol/verb.ts';
import { buildInputSchema } from '../../../worker-client/input-schema.ts';
import { type CommandContext, type ParsedArgs, toFlag } from '../../program/define-command.ts';
import { readGivenText } from '../../read-text.ts';

export interface VerbLayout {
  /** Words after `legion worker`. */
  readonly words: readonly [string, ...string[]];
  /**
   * Fields that are passed as positional arguments, in this order. The last one, and any that the
   * schema does not require, may be omitted.
   */
  readonly bare?: readonly string[];
  /**
   * Option whose value is a file, and the field that receives the file's text. If `field` is
   * absent, the file contains the whole input as JSON.
   */
  readonly file?: { readonly option: string; readonly field?: string };
  /** Option names by field, for options whose name differs from that of their field. */
  readonly optionNames?: Readonly<Record<string, string>>;
}

const toFileOption = (field: string) => ({ option: 'file', field });

const JSON_FILE = { option: 'file' };

const BODY_FILE = { option: 'bodyFile', field: 'body' };

/** Defines how each verb is called on the command line. The options come from the verb's schema. */
export const VERB_LAYOUTS: Readonly<Record<VerbName, VerbLayout>> = {
  issue: { words: ['issue'] },
  done: { words: ['done'], bare: ['summary'], file: toFileOption('summary') },
  error: { words: ['error'], bare: ['summary'], file: toFileOption('summary') },
  ask: { words: ['ask'], bare: ['question'], file: toFileOption('question') },
  checkpoint: { words: ['checkpoint'], bare: ['stage'], file: JSON_FILE },
  handoff_read: { words: ['handoff', 'read'], bare: ['phase'] },
  handoff_write: {
    words: ['handoff', 'write'],
    bare: ['summary'],
    file: JSON_FILE,
    optionNames: { files: 'path', tests: 'test' },
  },
  comment: { words: ['comment'], bare: ['text'], file: toFileOption('text') },
  split: { words: ['split'], file: JSON_FILE },
  push: { words: ['push'] },
  pr_open: { words: ['pr', 'open'], file: BODY_FILE },
  pr_edit: { words: ['pr', 'edit'], file: BODY_FILE },
  pr_show: { words: ['pr', 'show'] },
  ci: { words: ['ci'] },
  pr_ready: { words: ['pr', 'ready'] },
  verdict: {
    words: ['verdict'],
    bare: ['result', 'detail'],
    file: toFileOption('detail'),
    optionNames: { suites: 'suite' },
  },
  review: { words: ['review'], bare: ['verdict', 'text'], file: toFileOption('text') },
  plan_review: { words: ['plan-review'], bare: ['verdict', 'text'], file: toFileOption('text') },
  merge: { words: ['merge'] },
  message: { words: ['message'], bare: ['to', 'text'], file: toFileOption('text') },
  status: { words: ['status'], bare: ['text', 'reason'], file: toFileOption('text') },
};

type InputFields = Record<string, unknown>;

/**
 * Builds a verb's input from its command line and the file that the command line specifies.
 * Validates only the command line; the values are validated against the verb's schema before they
 * are sent.
 */
export async function readVerbInput(
  verb: VerbName,
  { positionals, options }: ParsedArgs,
  context: CommandContext,
): Promise<InputFields> {
  const fields = listVerbFields(verb);
  const input: InputFields = {};
  const put = (field: string, value: unknown) => {
    if (Object.hasOwn(input, field)) throw createVerbUsageError(verb, `received its ${field} twice`);
    input[field] = value;
  };
  const { bare = [], file } = VERB_LAYOUTS[verb];
  for (const [index, field] of bare.entries())
    if (positionals[index] !== undefined) put(field, positionals[index]);
  for (const field of fields) {
    const value = parseOptionValue(field, options[field.option]);
    if (value !== undefined) put(field.field, value);
  }
  const path = file === undefined ? undefined : options[file.option];
  if (file === undefined || typeof path !== 'string') return ensureCompleteInput(verb, fields, input);
  const text = await readGivenText(toFlag(file.option), path, context);
  if (file.field === undefined) return { ...parseJsonObject(text, path), ...input };
  put(file.field, text);
  return ensureCompleteInput(verb, fields, input);
}

function parseOptionValue({ kind, option }: VerbField, value: unknown): unknown {
  if (value === undefined || value === false) return undefined;
  if (kind === 'texts') return Array.isArray(value) && value.length > 0 ? value : undefined;
  if (kind === 'json') return parseJsonValue(String(value), toFlag(option));
  // Leaves text that is not a number unchanged, because the schema then reports an error that says
  // what is expected.
  if (kind === 'number') return /^\d{1,15}$/.test(String(value)) ? Number(value) : value;
  return value;
}

function ensureCompleteInput(
  verb: VerbName,
  fields: readonly VerbField[],
  rawInput: InputFields,
): InputFields {
  const { sentBack } = rawInput;
  // Without an explicit summary, the reason for sending the work back is also the summary.
  const input = sentBack === undefined ? rawInput : { summary: sentBack, ...rawInput };
  const missing = fields.find(({ field, isRequired }) => isRequired && !Object.hasOwn(input, field));
  if (missing !== undefined) throw createVerbUsageError(verb, `needs a ${missing.field}`);
  const needsFile = verb === 'split' && !Object.hasOwn(input, 'children');
  if (needsFile) throw createVerbUsageError(verb, 'needs a --file that contains its children');
  return input;
}

function parseJsonObject(text: string, path: string): object {
  const value = parseJsonValue(text, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new LegionError('input.invalid', `${path}: Expected a JSON object.`);
}

function parseJsonValue(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LegionError(
      'input.invalid',
      `${field}: ${error instanceof Error ? error.message : 'is not JSON'}`,
    );
  }
}

function createVerbUsageError(verb: VerbName, problem: string): LegionError {
  return new LegionError('usage.invalid', `legion worker ${VERB_LAYOUTS[verb].words.join(' ')} ${problem}.`);
}

/** How the text of an option is converted to the value of its field. */
type FieldKind = 'text' | 'texts' | 'number' | 'switch' | 'json';

export interface VerbField {
  readonly field: string;
  /** Commander's name for the option's value. */
  readonly option: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
}

/**
 * Lists the fields of a verb's input that have a command-line option. Lists of objects have no
 * option; they are passed in a file.
 */
export function listVerbFields(verb: VerbName): readonly VerbField[] {
  const schema = buildInputSchema(verb);
  const { optionNames = {}, bare = [] } = VERB_LAYOUTS[verb];
  const mustBePlaced = bare.slice(0, -1).filter((field) => schema.required.includes(field));
  return Object.entries(schema.properties).flatMap(([field, { type, items }]) => {
    const kind = type === 'array' ? toListKind(items) : toFieldKind(type);
    if (kind === undefined || mustBePlaced.includes(field)) return [];
    return [
      { field, option: optionNames[field] ?? field, kind, isRequired: schema.required.includes(field) },
    ];
  });
}

function toFieldKind(type: unknown): FieldKind {
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'switch';
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

function toListKind(items: unknown): FieldKind | undefined {
  const isTexts = typeof items === 'object' && items !== null && 'type' in items && items.type === 'string';
  return isTexts ? 'texts' : undefined;
}

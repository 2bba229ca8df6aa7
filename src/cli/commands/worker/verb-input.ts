/** Makes a verb's input from its command line and from the file that it names. */
import { LegionError } from '../../../core/model/fault.ts';
import type { VerbName } from '../../../protocol/verb.ts';
import type { CommandContext, ParsedArgs } from '../../command.ts';
import { toFlag } from '../../program/options.ts';
import { readGivenText } from '../../read-text.ts';
import { LAYOUTS } from './layout.ts';
import { type VerbField, verbFields } from './verb-fields.ts';

type Fields = Record<string, unknown>;

/** Checks only the command line; the values are checked against the verb's schema before they are sent. */
export async function verbInput(
  verb: VerbName,
  { positionals, options }: ParsedArgs,
  context: CommandContext,
): Promise<Fields> {
  const fields = verbFields(verb);
  const input: Fields = {};
  const put = (field: string, value: unknown) => {
    if (Object.hasOwn(input, field)) throw usage(verb, `has its ${field} given twice`);
    input[field] = value;
  };
  const { bare = [], file } = LAYOUTS[verb];
  for (const [index, field] of bare.entries())
    if (positionals[index] !== undefined) put(field, positionals[index]);
  for (const field of fields) {
    const value = chosenValue(field, options[field.option]);
    if (value !== undefined) put(field.field, value);
  }
  const path = file === undefined ? undefined : options[file.option];
  if (file === undefined || typeof path !== 'string') return complete(verb, fields, input);
  const text = await readGivenText(toFlag(file.option), path, context);
  if (file.field === undefined) return { ...parsed(text, path), ...input };
  put(file.field, text);
  return complete(verb, fields, input);
}

function chosenValue({ kind, option }: VerbField, given: unknown): unknown {
  if (given === undefined || given === false) return undefined;
  if (kind === 'texts') return Array.isArray(given) && given.length > 0 ? given : undefined;
  if (kind === 'json') return parsedAny(String(given), toFlag(option));
  // Other text stays text: the schema says what it expects instead.
  if (kind === 'number') return /^\d{1,15}$/.test(String(given)) ? Number(given) : given;
  return given;
}

function complete(verb: VerbName, fields: readonly VerbField[], given: Fields): Fields {
  const { sentBack } = given;
  // The reason for sending the work back is also the summary, unless the worker gives one.
  const input = sentBack === undefined ? given : { summary: sentBack, ...given };
  const missing = fields.find(({ field, isRequired }) => isRequired && !Object.hasOwn(input, field));
  if (missing !== undefined) throw usage(verb, `needs a ${missing.field}`);
  const needsFile = verb === 'split' && !Object.hasOwn(input, 'children');
  if (needsFile) throw usage(verb, 'needs --file with its children');
  return input;
}

function parsed(text: string, path: string): object {
  const value = parsedAny(text, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new LegionError('input.invalid', `${path}: is not a JSON object`);
}

function parsedAny(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LegionError(
      'input.invalid',
      `${what}: ${error instanceof Error ? error.message : 'is not JSON'}`,
    );
  }
}

function usage(verb: VerbName, problem: string): LegionError {
  return new LegionError('usage.invalid', `legion worker ${LAYOUTS[verb].words.join(' ')} ${problem}`);
}

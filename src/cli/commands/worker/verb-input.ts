/** Makes a verb's input of what stands on the command line and in the file it names. */
import { LegionError } from '../../../domain/fault.ts';
import type { VerbName } from '../../../protocol/verb.ts';
import type { CommandContext } from '../../command.ts';
import { type Given, usageOf } from '../../form.ts';
import { LAYOUTS } from './layout.ts';
import { readText } from './read-text.ts';
import type { VerbField, VerbForm } from './verb-form.ts';

type Fields = Record<string, unknown>;

/** Only the form of the command line is checked here; the speaker holds the values against the verb's schema. */
export async function verbInput(
  verb: VerbName,
  verbForm: VerbForm,
  given: Given<VerbForm['form']>,
  context: CommandContext,
): Promise<Fields> {
  const input: Fields = {};
  const put = (field: string, value: unknown) => {
    if (Object.hasOwn(input, field)) throw usage(verbForm, `has its ${field} given twice`);
    input[field] = value;
  };
  const { bare = [], file } = LAYOUTS[verb];
  for (const field of bare) if (given[field] !== undefined) put(field, given[field]);
  for (const field of verbForm.fields) {
    const value = chosenValue(field, given.options[field.option]);
    if (value !== undefined) put(field.field, value);
  }
  const path = file === undefined ? undefined : given.options[file.option];
  if (file === undefined || typeof path !== 'string') return complete(verb, verbForm, input);
  const text = await readText(path, context);
  if (file.field === undefined) return { ...parsed(text, path), ...input };
  put(file.field, text);
  return complete(verb, verbForm, input);
}

function chosenValue({ kind, option }: VerbField, given: unknown): unknown {
  if (given === undefined || given === false) return undefined;
  if (kind === 'texts') return Array.isArray(given) && given.length > 0 ? given : undefined;
  if (kind === 'json') return parsedAny(String(given), `--${option}`);
  // What is no number goes on as text: the schema then says what is expected.
  if (kind === 'number') return /^\d{1,15}$/.test(String(given)) ? Number(given) : given;
  return given;
}

function complete(verb: VerbName, verbForm: VerbForm, given: Fields): Fields {
  const { sentBack } = given;
  // Why the work goes back says what was done, unless the worker has more to say.
  const input = sentBack === undefined ? given : { summary: sentBack, ...given };
  const missing = verbForm.fields.find(({ field, required }) => required && !Object.hasOwn(input, field));
  if (missing !== undefined) throw usage(verbForm, `needs a ${missing.field}`);
  const needsFile = verb === 'split' && !Object.hasOwn(input, 'children');
  if (needsFile) throw usage(verbForm, 'needs --file with its children');
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

function usage({ form }: VerbForm, says: string): LegionError {
  return new LegionError('usage.invalid', `${form.name} ${says}; it is called as ${usageOf(form)}`);
}

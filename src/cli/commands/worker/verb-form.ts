/** The form of a verb's command line, made from its layout and its schema. */
import { VERBS, type VerbName } from '../../../protocol/verb.ts';
import { type InputSchema, inputSchemaOf } from '../../../speech/input-schema.ts';
import type { Form, Option } from '../../form.ts';
import { LAYOUTS } from './layout.ts';

/** How an option's text becomes a value of its field. */
type Kind = 'text' | 'texts' | 'number' | 'switch' | 'json';

export interface VerbField {
  readonly field: string;
  readonly option: string;
  readonly kind: Kind;
  readonly required: boolean;
}

export interface VerbForm {
  readonly form: Form;
  readonly fields: readonly VerbField[];
}

export function verbForm(verb: VerbName): VerbForm {
  const { words, bare = [], file } = LAYOUTS[verb];
  const schema = inputSchemaOf(verb);
  const fields = fieldsOf(verb, schema);
  const says = VERBS[verb].summary;
  const options = fields.map((each) => [each.option, optionOf(each, schema)] as const);
  const fromFile = file === undefined ? [] : [[file.option, fileOption(file.field)] as const];
  const json: Option = { says: 'the daemon’s answer as one JSON object' };
  return {
    fields,
    form: {
      name: ['worker', ...words].join(' '),
      says: `${says.charAt(0).toUpperCase()}${says.slice(1)}.`,
      takes: Object.fromEntries(
        bare.map((field, index) => [field, index === bare.length - 1 ? 'optional' : 'one'] as const),
      ),
      options: Object.fromEntries([...options, ...fromFile, ['json', json] as const]),
    },
  };
}

/** A list of objects has no option: it is given as a file. */
function fieldsOf(verb: VerbName, schema: InputSchema): readonly VerbField[] {
  const { named = {}, bare = [] } = LAYOUTS[verb];
  const mustBePlaced = bare.slice(0, -1);
  return Object.entries(schema.properties).flatMap(([field, { type, items }]) => {
    const kind = type === 'array' ? kindOfList(items) : kindOf(type);
    if (kind === undefined || mustBePlaced.includes(field)) return [];
    return [
      { field, option: named[field] ?? dashed(field), kind, required: schema.required.includes(field) },
    ];
  });
}

function kindOf(type: unknown): Kind {
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'switch';
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

function kindOfList(items: unknown): Kind | undefined {
  const isTexts = typeof items === 'object' && items !== null && 'type' in items && items.type === 'string';
  return isTexts ? 'texts' : undefined;
}

function optionOf({ field, option, kind }: VerbField, schema: InputSchema): Option {
  const says = schema.properties[field]?.description ?? '';
  if (kind === 'switch') return { says };
  const value = kind === 'json' ? 'JSON' : option.toUpperCase();
  return kind === 'texts' ? { value, says, many: true } : { value, says };
}

function fileOption(field: string | undefined): Option {
  const what = field === undefined ? 'everything as one JSON object' : `the ${field}`;
  return { value: 'FILE', says: `read ${what} from a file; - is standard input` };
}

function dashed(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

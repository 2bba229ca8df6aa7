/** The fields of a verb's input that have an option on the command line. */
import type { VerbName } from '../../../protocol/verb.ts';
import { inputSchemaOf } from '../../../worker-client/input-schema.ts';
import { LAYOUTS } from './layout.ts';

/** How the text of an option becomes a value of its field. */
type FieldKind = 'text' | 'texts' | 'number' | 'switch' | 'json';

export interface VerbField {
  readonly field: string;
  /** As commander names the value of its option. */
  readonly option: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
}

/** A list of objects has no option: it is given as a file. */
export function verbFields(verb: VerbName): readonly VerbField[] {
  const schema = inputSchemaOf(verb);
  const { named = {}, bare = [] } = LAYOUTS[verb];
  const mustBePlaced = bare.slice(0, -1);
  return Object.entries(schema.properties).flatMap(([field, { type, items }]) => {
    const kind = type === 'array' ? kindOfList(items) : kindOf(type);
    if (kind === undefined || mustBePlaced.includes(field)) return [];
    return [{ field, option: named[field] ?? field, kind, isRequired: schema.required.includes(field) }];
  });
}

function kindOf(type: unknown): FieldKind {
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'switch';
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

function kindOfList(items: unknown): FieldKind | undefined {
  const isTexts = typeof items === 'object' && items !== null && 'type' in items && items.type === 'string';
  return isTexts ? 'texts' : undefined;
}

/** A verb's input as JSON Schema: what `legion worker` makes its options of, and what `legion mcp` shows an agent. */
import { z } from 'zod';
import { VERBS, type VerbName } from '../protocol/verb.ts';
import { FIELD_WORDS } from './field-words.ts';

type Field = z.core.JSONSchema.BaseSchema;

/** A type and not an interface, so that it passes for a plain record too. */
export type InputSchema = {
  readonly type: 'object';
  readonly properties: Record<string, Field>;
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

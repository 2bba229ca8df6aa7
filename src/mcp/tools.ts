/** The tools a worker of a mode has: its verbs, with their schemas. */
import type { Tool } from '@modelcontextprotocol/server';
import type { Mode } from '../domain/mode.ts';
import { modesOf, VERB_NAMES, VERBS } from '../protocol/verb.ts';
import { inputSchemaOf } from '../speech/input-schema.ts';

export function toolsFor(mode: Mode): Tool[] {
  return VERB_NAMES.filter((verb) => modesOf(verb).includes(mode)).map((verb) => ({
    name: verb,
    description: VERBS[verb].summary,
    // Zod types its JSON Schema more widely than plain JSON.
    inputSchema: inputSchemaOf(verb) as Tool['inputSchema'],
  }));
}

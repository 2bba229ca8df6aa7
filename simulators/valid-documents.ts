/**
 * Parses and validates GraphQL documents. Caches the valid ones, because clients send the same few
 * documents again and again, and checking one takes milliseconds.
 */
import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';

const MAX_REMEMBERED = 500;

export class ValidDocuments {
  readonly #schema: () => GraphQLSchema;
  readonly #known = new Map<string, DocumentNode>();

  constructor(schema: () => GraphQLSchema) {
    this.#schema = schema;
  }

  /** Throws on a syntax error. Returns the validation errors of an invalid document. */
  read(query: string): DocumentNode | readonly GraphQLError[] {
    const known = this.#known.get(query);
    if (known !== undefined) return known;
    const document = parse(query);
    const errors = validate(this.#schema(), document);
    if (errors.length > 0) return errors;
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(query, document);
    return document;
  }
}

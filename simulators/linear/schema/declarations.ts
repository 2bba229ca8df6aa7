/**
 * Reads the types of Linear's schema from the declarations in its SDK, which were generated from
 * the schema itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** The parts of a syntax tree that the schema is built from. */
export interface SyntaxNode {
  readonly type: string;
  readonly id?: { readonly name?: string };
  readonly key?: { readonly name?: string };
  readonly optional?: boolean;
  readonly typeAnnotation?: SyntaxNode;
  readonly types?: readonly SyntaxNode[];
  readonly members?: readonly SyntaxNode[];
  readonly body?: { readonly members?: readonly SyntaxNode[] };
  readonly typeName?: { readonly name?: string };
  readonly typeArguments?: { readonly params: readonly SyntaxNode[] } | null;
  readonly indexType?: SyntaxNode;
  readonly literal?: SyntaxNode;
  readonly initializer?: SyntaxNode;
  readonly value?: unknown;
}

/** Returns the statements of the schema, in their order. */
export function readDeclarations(): readonly SyntaxNode[] {
  const name = readdirSync(resolveSdkFolder()).find((each) => /^index-.*\.d\.mts$/.test(each));
  if (name === undefined) throw new Error("Linear's SDK has no type declarations at the expected path");
  const text = readFileSync(join(resolveSdkFolder(), name), 'utf8');
  const { program, errors } = parseSync(name, extractSchemaPart(text));
  if (errors[0] !== undefined) throw new Error(`Linear's SDK cannot be read: ${errors[0].message}`);
  return program.body as unknown as readonly SyntaxNode[];
}

/**
 * Returns the part of the file that declares the schema. Skips the long list of exported names at
 * the start, and the results of the SDK's own queries at the end, which make up more than half of
 * the file.
 */
function extractSchemaPart(text: string): string {
  const from = text.indexOf('\ntype Scalars = ');
  const to = text.search(/^type \w+Fragment = /m);
  if (from < 0 || to < from) throw new Error("Linear's SDK has an unexpected layout");
  // Cuts before the comment above the first result. Otherwise, the text would end inside that
  // comment.
  return text.slice(from, text.lastIndexOf('\n};\n', to) + '\n};\n'.length);
}

function resolveSdkFolder(): string {
  return dirname(fileURLToPath(import.meta.resolve('@linear/sdk')));
}

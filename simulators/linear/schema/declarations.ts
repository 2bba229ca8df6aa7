/** Reads the types of Linear's schema out of the declarations that its SDK ships; they were generated from the schema itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** The part of a syntax tree that is read here; everything else is left out of the schema. */
export interface Syntax {
  readonly type: string;
  readonly id?: { readonly name?: string };
  readonly key?: { readonly name?: string };
  readonly optional?: boolean;
  readonly typeAnnotation?: Syntax;
  readonly types?: readonly Syntax[];
  readonly members?: readonly Syntax[];
  readonly body?: { readonly members?: readonly Syntax[] };
  readonly typeName?: { readonly name?: string };
  readonly typeArguments?: { readonly params: readonly Syntax[] } | null;
  readonly indexType?: Syntax;
  readonly literal?: Syntax;
  readonly initializer?: Syntax;
  readonly value?: unknown;
}

/** Statements of the schema, in their order. */
export function readDeclarations(): readonly Syntax[] {
  const name = readdirSync(folder()).find((each) => /^index-.*\.d\.mts$/.test(each));
  if (name === undefined) throw new Error("Linear's SDK has no type declarations where they were");
  const text = readFileSync(join(folder(), name), 'utf8');
  const { program, errors } = parseSync(name, schemaPart(text));
  if (errors[0] !== undefined) throw new Error(`Linear's SDK cannot be read: ${errors[0].message}`);
  return program.body as unknown as readonly Syntax[];
}

/**
 * What follows are the results of the SDK's own queries: no part of the schema, and more than half of the file. What comes
 * before is one list of exported names, which is long, too.
 */
function schemaPart(text: string): string {
  const from = text.indexOf('\ntype Scalars = ');
  const to = text.search(/^type \w+Fragment = /m);
  if (from < 0 || to < from) throw new Error("Linear's SDK is not laid out as it was");
  // The comment above the first result would be left open otherwise.
  return text.slice(from, text.lastIndexOf('\n};\n', to) + '\n};\n'.length);
}

function folder(): string {
  return dirname(fileURLToPath(import.meta.resolve('@linear/sdk')));
}

/** `npm run graphql:types`: writes the result types of Legion's GitHub and Linear documents. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOCUMENT_SETS } from './graphql/document-sets.ts';
import { writeResultTypes } from './graphql/result-types.ts';
import { loadSchema } from './graphql/schemas.ts';

const ROOT = dirname(import.meta.dirname);

for (const { service, file, documents } of DOCUMENT_SETS) {
  writeFileSync(join(ROOT, file), await writeResultTypes(loadSchema(service), documents));
  console.log(file);
}

/** Reads the name of a legion from a `legion.yaml` that may be wrong everywhere else. */
import { isMap, isScalar, parseDocument } from 'yaml';
import { readLegionId } from '../../core/model/ids.ts';

/** Undefined where the file names no legion, or several: a guess could stop the wrong workers. */
export function readLegionName(text: string): string | undefined {
  // The parser reports syntax errors instead of throwing, and keeps what it could read.
  const { contents } = parseDocument(text, { schema: 'core', logLevel: 'silent', uniqueKeys: false });
  if (!isMap(contents)) return undefined;
  const named = contents.items.filter(({ key }) => isScalar(key) && key.value === 'legion');
  const [only, ...others] = named.map(({ value }) => (isScalar(value) ? value.value : undefined));
  return typeof only === 'string' && others.length === 0 && readLegionId(only).ok ? only : undefined;
}

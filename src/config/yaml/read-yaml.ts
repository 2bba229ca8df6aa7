/** YAML as plain data with the place of every key and value; what configuration has no use for is refused. */
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { Checked, Problem } from '../problem.ts';
import { at, type Place } from './place.ts';
import { toPlainData } from './to-plain-data.ts';

export interface YamlFile {
  readonly path: string;
  /** `undefined` where the file says nothing at all. */
  readonly value: unknown;
  /** The place of the key, or of the entry, at this path; of the nearest parent where there is none. */
  keyPlace(path: readonly PropertyKey[]): Place;
  valuePlace(path: readonly PropertyKey[]): Place;
}

/** YAML allows none of these in a file; they would also disturb the terminal that shows a message. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

export function readYaml(text: string, path: string): Checked<YamlFile> {
  const lines = new LineCounter();
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problem = (offset: number, says: string): Problem => ({
    code: 'config.syntax',
    where: at(path, placeOf(offset)),
    says,
  });

  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The library compares each key with all others; the conversion below needs no more than a map.
    uniqueKeys: false,
    merge: false,
    schema: 'core',
    logLevel: 'error',
  });
  const control = CONTROL.exec(text);
  if (control !== null) {
    const hex = control[0].charCodeAt(0).toString(16).padStart(2, '0');
    return { ok: false, problems: [problem(control.index, `contains the control character 0x${hex}`)] };
  }
  const errors = syntaxErrors(document).map(({ offset, says }) => problem(offset, says));
  if (errors.length > 0) return { ok: false, problems: errors };

  const data = toPlainData(document);
  if (data.refused.length > 0) {
    const problems = data.refused.map(({ offset, says, earlier }) =>
      problem(offset, earlier === undefined ? says : `${says} on line ${placeOf(earlier).line}`),
    );
    return { ok: false, problems };
  }
  const place = (which: 'key' | 'value') => (path: readonly PropertyKey[]) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const offsets = data.offsets.get(JSON.stringify(path.slice(0, length)));
      if (offsets !== undefined) return placeOf(offsets[which]);
    }
    return placeOf(0);
  };
  const file = { path, value: data.value, keyPlace: place('key'), valuePlace: place('value') };
  return { ok: true, value: file };
}

/** Of several complaints about one spot the first is the cause and the others its echo. */
function syntaxErrors(document: Document.Parsed): { offset: number; says: string }[] {
  if (document.directives.yaml.version !== '1.2') {
    return [{ offset: 0, says: 'asks for YAML 1.1; only YAML 1.2 is read' }];
  }
  const byOffset = document.errors.map(({ code, message, pos }) => ({
    offset: pos[0],
    says: SAYS.get(code) ?? `is not valid YAML: ${message}`,
    code,
  }));
  // When the parser runs out of stack, every level it leaves says so again.
  const exhausted = byOffset.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return exhausted === undefined ? byOffset : [exhausted];
}

const SAYS: ReadonlyMap<string, string> = new Map([
  ['RESOURCE_EXHAUSTION', 'is nested too deeply'],
  ['MULTIPLE_DOCS', 'begins a second document with "---"; only one is read'],
  ['TAB_AS_INDENT', 'is indented with a tab; YAML allows only spaces'],
]);

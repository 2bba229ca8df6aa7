/** Runs every rule over a tree of source files. */

import { checkDirectorySizes, checkFileForm, checkName } from './file-form.ts';
import { checkImportDirections } from './import-directions.ts';
import { checkModuleState } from './module-state.ts';
import { checkProcessUse } from './process-use.ts';
import { checkPurity } from './purity.ts';
import { parseModule } from './source-module.ts';
import type { SourceTree } from './source-tree.ts';
import { describeViolation, type Violation } from './violation.ts';
import { checkWeb } from './web.ts';

const IS_CODE = /\.[cm]?[jt]sx?$/;
const RULES = [
  checkImportDirections,
  checkPurity,
  checkProcessUse,
  checkModuleState,
  checkWeb,
  checkFileForm,
];

/** Returns one line per violation, in the order of the files. */
export function listViolations(tree: SourceTree): readonly string[] {
  const violations = [...tree].flatMap(([path, text]) => findViolations(path, text));
  return [...violations, ...checkDirectorySizes(tree.keys())].map(describeViolation);
}

function findViolations(path: string, text: string): readonly Violation[] {
  const names = checkName(path);
  if (!IS_CODE.test(path)) return names;
  const module = parseModule(path, text);
  if (module.syntaxErrors.length > 0) {
    const wrong = `cannot be parsed: ${module.syntaxErrors.join(', ')}`;
    return [...names, { rule: 'syntax', file: path, line: 1, wrong, next: 'correct the syntax first' }];
  }
  return [...names, ...RULES.flatMap((rule) => rule(module))];
}

/** Runs every rule over a tree of source files. */
import { checkArrows } from './arrows.ts';
import { checkFileForm, checkName } from './file-form.ts';
import { checkModuleState } from './module-state.ts';
import { checkProcessUse } from './process-use.ts';
import { checkPurity } from './purity.ts';
import { parseModule } from './source-module.ts';
import type { SourceTree } from './source-tree.ts';
import { describeViolation, type Violation } from './violation.ts';
import { checkWeb } from './web.ts';

const HOLDS_CODE = /\.[cm]?[jt]sx?$/;
const RULES = [checkArrows, checkPurity, checkProcessUse, checkModuleState, checkWeb, checkFileForm];

/** One line a violation, in the order of the files. */
export function complaintsAbout(tree: SourceTree): readonly string[] {
  return [...tree].flatMap(([path, text]) => violationsIn(path, text)).map(describeViolation);
}

function violationsIn(path: string, text: string): readonly Violation[] {
  const names = checkName(path);
  if (!HOLDS_CODE.test(path)) return names;
  const module = parseModule(path, text);
  if (module.syntaxErrors.length > 0) {
    const wrong = `cannot be parsed: ${module.syntaxErrors.join(', ')}`;
    return [...names, { rule: 'syntax', file: path, line: 1, wrong, next: 'correct the syntax first' }];
  }
  return [...names, ...RULES.flatMap((rule) => rule(module))];
}

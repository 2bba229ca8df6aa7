/** Forbids mutable state at module level, because it outlives its owner. */
import type { Node, VariableDeclaration } from 'oxc-parser';
import { lineOf, type SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkModuleState(module: SourceModule): readonly Violation[] {
  return module.program.body.flatMap((statement) => {
    const declaration = findDeclaration(statement);
    if (declaration === undefined || declaration.declare) return [];
    return declaration.declarations.flatMap((declarator) => {
      const what =
        declaration.kind === 'let' || declaration.kind === 'var'
          ? `\`${declaration.kind}\``
          : describeEmptyCollection(declarator);
      if (what === undefined) return [];
      const violation: Violation = {
        rule: 'module state',
        file: module.path,
        line: lineOf(module, declarator),
        wrong: `has ${what} at module level`,
        next: 'keep it in an object that the composition root creates and closes',
      };
      return [violation];
    });
  });
}

function findDeclaration(statement: Node): VariableDeclaration | undefined {
  if (statement.type === 'VariableDeclaration') return statement;
  if (statement.type !== 'ExportNamedDeclaration') return undefined;
  return statement.declaration?.type === 'VariableDeclaration' ? statement.declaration : undefined;
}

/**
 * Reports a collection that starts empty, because code is meant to fill it later. Collections with
 * a read-only type are accepted.
 */
function describeEmptyCollection(
  declarator: VariableDeclaration['declarations'][number],
): string | undefined {
  const { id, init } = declarator;
  if (init?.type !== 'NewExpression' || init.arguments.length > 0) return undefined;
  if (init.callee.type !== 'Identifier' || !/^(?:Weak)?(?:Map|Set)$/.test(init.callee.name)) return undefined;
  const type = 'typeAnnotation' in id ? id.typeAnnotation?.typeAnnotation : undefined;
  const declaredType =
    type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : '';
  return declaredType.startsWith('Readonly') ? undefined : `an empty ${init.callee.name}`;
}

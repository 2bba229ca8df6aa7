/** Computes the complexity of a document by Linear's documented rule before execution. */
import {
  type ConstValueNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { LinearRefusal } from '../model/refusal.ts';
import { loadLinearSchema } from '../schema/schema.ts';
import { DEFAULT_PAGE } from './connection.ts';

/** Linear's documented values. */
const PROPERTY_POINTS = 0.1;
const OBJECT_POINTS = 1;
const MAX_POINTS = 10_000;

interface ComplexityCounter {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Throws if the complexity exceeds the limit of one request. */
export function computeComplexity(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  given: Readonly<Record<string, unknown>>,
): number {
  const defaults = (operation.variableDefinitions ?? []).map(
    ({ variable, defaultValue }): [string, unknown] => [variable.name.value, parseDefault(defaultValue)],
  );
  const schema = loadLinearSchema();
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const counting = { fragments, variables: { ...Object.fromEntries(defaults), ...given } };
  const points = Math.ceil(count(counting, operation.selectionSet, root?.name ?? '') - ROUNDING);
  if (points > MAX_POINTS) {
    throw new LinearRefusal(
      'invalid input',
      'Query too complex',
      `The query has a complexity of ${points}, but at most ${MAX_POINTS} is allowed.`,
    );
  }
  return points;
}

/** Tolerance for rounding errors, because tenths do not add up exactly in binary. */
const ROUNDING = 1e-6;

function count(counting: ComplexityCounter, { selections }: SelectionSetNode, parent: string): number {
  return selections.reduce((sum, selection) => sum + computePoints(counting, selection, parent), 0);
}

function computePoints(counting: ComplexityCounter, selection: SelectionNode, parent: string): number {
  if (isLeftOut(counting, selection)) return 0;
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const fragment = counting.fragments.get(selection.name.value);
    return fragment === undefined
      ? 0
      : count(counting, fragment.selectionSet, fragment.typeCondition.name.value);
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return count(counting, selection.selectionSet, selection.typeCondition?.name.value ?? parent);
  }
  return computeFieldPoints(counting, selection, parent);
}

function computeFieldPoints(counting: ComplexityCounter, field: FieldNode, parentName: string): number {
  const parent = loadLinearSchema().getType(parentName);
  const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
  const defined = fields[field.name.value];
  if (defined === undefined || field.selectionSet === undefined) return PROPERTY_POINTS;
  const type = getNamedType(defined.type);
  if (!isCompositeType(type)) return PROPERTY_POINTS;
  const inside = count(counting, field.selectionSet, type.name);
  return OBJECT_POINTS + (type.name.endsWith('Connection') ? getPageSize(counting, field) : 1) * inside;
}

/** Returns whether `@skip` or `@include` excludes the field. Excluded fields cost nothing. */
function isLeftOut({ variables }: ComplexityCounter, { directives }: SelectionNode): boolean {
  return (directives ?? []).some(({ name, arguments: args }) => {
    const value = args?.[0]?.value;
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    const condition = value?.kind === Kind.BOOLEAN ? value.value : given;
    return (name.value === 'skip' && condition === true) || (name.value === 'include' && condition === false);
  });
}

function getPageSize({ variables }: ComplexityCounter, field: FieldNode): number {
  const sizes = (field.arguments ?? []).flatMap(({ name, value }) =>
    name.value === 'first' || name.value === 'last' ? [resolveNumber(variables, value)] : [],
  );
  return sizes.find((size) => size !== undefined) ?? DEFAULT_PAGE;
}

function resolveNumber(variables: Readonly<Record<string, unknown>>, value: ValueNode): number | undefined {
  if (value.kind === Kind.INT) return Number(value.value);
  const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? given : undefined;
}

function parseDefault(value: ConstValueNode | undefined): unknown {
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

/** How complex a document is, by the rule that Linear documents, told before anything is executed. */
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
import { linearSchema } from '../schema/schema.ts';
import { DEFAULT_PAGE } from './connection.ts';

/** All as Linear documents them. */
const PROPERTY_POINTS = 0.1;
const OBJECT_POINTS = 1;
const MOST_POINTS = 10_000;

interface Counting {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Throws where it is more than one request may be. */
export function complexityOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  given: Readonly<Record<string, unknown>>,
): number {
  const defaults = (operation.variableDefinitions ?? []).map(
    ({ variable, defaultValue }): [string, unknown] => [variable.name.value, defaultOf(defaultValue)],
  );
  const schema = linearSchema();
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const counting = { fragments, variables: { ...Object.fromEntries(defaults), ...given } };
  const points = Math.ceil(count(counting, operation.selectionSet, root?.name ?? '') - ROUNDING);
  if (points > MOST_POINTS) {
    throw new LinearRefusal(
      'invalid input',
      'Query too complex',
      `The complexity of the query is ${points}, and ${MOST_POINTS} is the most.`,
    );
  }
  return points;
}

/** Tenths do not add up exactly in binary. */
const ROUNDING = 1e-6;

function count(counting: Counting, { selections }: SelectionSetNode, parent: string): number {
  return selections.reduce((sum, selection) => sum + pointsOf(counting, selection, parent), 0);
}

function pointsOf(counting: Counting, selection: SelectionNode, parent: string): number {
  if (leftOut(counting, selection)) return 0;
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const fragment = counting.fragments.get(selection.name.value);
    return fragment === undefined
      ? 0
      : count(counting, fragment.selectionSet, fragment.typeCondition.name.value);
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return count(counting, selection.selectionSet, selection.typeCondition?.name.value ?? parent);
  }
  return fieldPoints(counting, selection, parent);
}

function fieldPoints(counting: Counting, field: FieldNode, parentName: string): number {
  const parent = linearSchema().getType(parentName);
  const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
  const defined = fields[field.name.value];
  if (defined === undefined || field.selectionSet === undefined) return PROPERTY_POINTS;
  const type = getNamedType(defined.type);
  if (!isCompositeType(type)) return PROPERTY_POINTS;
  const inside = count(counting, field.selectionSet, type.name);
  return OBJECT_POINTS + (type.name.endsWith('Connection') ? pageSize(counting, field) : 1) * inside;
}

/** What `@skip` or `@include` leaves out costs nothing. */
function leftOut({ variables }: Counting, { directives }: SelectionNode): boolean {
  return (directives ?? []).some(({ name, arguments: args }) => {
    const value = args?.[0]?.value;
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    const condition = value?.kind === Kind.BOOLEAN ? value.value : given;
    return (name.value === 'skip' && condition === true) || (name.value === 'include' && condition === false);
  });
}

function pageSize({ variables }: Counting, field: FieldNode): number {
  const sizes = (field.arguments ?? []).flatMap(({ name, value }) =>
    name.value === 'first' || name.value === 'last' ? [numberIn(variables, value)] : [],
  );
  return sizes.find((size) => size !== undefined) ?? DEFAULT_PAGE;
}

function numberIn(variables: Readonly<Record<string, unknown>>, value: ValueNode): number | undefined {
  if (value.kind === Kind.INT) return Number(value.value);
  const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? given : undefined;
}

function defaultOf(value: ConstValueNode | undefined): unknown {
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

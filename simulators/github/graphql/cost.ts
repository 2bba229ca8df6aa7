/** Computes the cost of a document and checks GitHub's pagination rules before execution. */
import {
  type ConstValueNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { GithubRefusal } from '../model/fault.ts';
import { SCHEMA } from './schema.ts';

/** GitHub's documented limits. */
const MAX_NODES = 500_000;
const MAX_PER_PAGE = 100;
const REQUESTS_PER_POINT = 100;

export interface QueryCost {
  readonly points: number;
  readonly nodes: number;
}

interface CostCounter {
  requests: number;
  nodes: number;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Throws `MISSING_PAGINATION_BOUNDARIES`, `EXCESSIVE_PAGINATION` or `MAX_NODE_LIMIT_EXCEEDED`. */
export function computeQueryCost(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  given: Readonly<Record<string, unknown>>,
): QueryCost {
  const defaults = (operation.variableDefinitions ?? []).map(
    ({ variable, defaultValue }): [string, unknown] => [variable.name.value, parseDefault(defaultValue)],
  );
  const counting: CostCounter = {
    requests: 0,
    nodes: 0,
    fragments,
    variables: { ...Object.fromEntries(defaults), ...given },
  };
  const root = operation.operation === 'mutation' ? SCHEMA.getMutationType() : SCHEMA.getQueryType();
  if (root) count(counting, operation.selectionSet, root, 1);
  if (counting.nodes > MAX_NODES) {
    throw new GithubRefusal(
      'MAX_NODE_LIMIT_EXCEEDED',
      `This query requests up to ${counting.nodes.toLocaleString('en-US')} possible nodes which exceeds the maximum limit of ${MAX_NODES.toLocaleString('en-US')}.`,
    );
  }
  return { points: Math.max(1, Math.round(counting.requests / REQUESTS_PER_POINT)), nodes: counting.nodes };
}

function count(
  counting: CostCounter,
  selections: SelectionSetNode,
  parentName: { name: string },
  times: number,
): void {
  const parent = SCHEMA.getType(parentName.name);
  for (const selection of selections.selections) {
    if (isLeftOut(counting, selection)) continue;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = counting.fragments.get(selection.name.value);
      if (fragment)
        count(counting, fragment.selectionSet, { name: fragment.typeCondition.name.value }, times);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const name = selection.typeCondition?.name.value ?? parentName.name;
      count(counting, selection.selectionSet, { name }, times);
    } else if (isObjectType(parent) || isInterfaceType(parent)) {
      countField(counting, selection, parent as GraphQLObjectType, times);
    }
  }
}

/** Returns whether `@skip` or `@include` excludes the field. Excluded fields cost nothing. */
function isLeftOut({ variables }: CostCounter, { directives }: SelectionNode): boolean {
  return (directives ?? []).some(({ name, arguments: args }) => {
    const value = args?.[0]?.value;
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    const condition = value?.kind === Kind.BOOLEAN ? value.value : given;
    return (name.value === 'skip' && condition === true) || (name.value === 'include' && condition === false);
  });
}

function countField(counting: CostCounter, field: FieldNode, parent: GraphQLObjectType, times: number): void {
  const defined = parent.getFields()[field.name.value];
  if (defined === undefined) return; // __typename
  const type = getNamedType(defined.type);
  let each = times;
  if (type.name.endsWith('Connection') && defined.args.some(({ name }) => name === 'first')) {
    const size = requirePageSize(counting, field);
    counting.requests += times;
    counting.nodes += times * size;
    each = times * size;
  }
  if (field.selectionSet) count(counting, field.selectionSet, type, each);
}

function parseDefault(value: ConstValueNode | undefined): unknown {
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

function requirePageSize(counting: CostCounter, field: FieldNode): number {
  const asked = ['first', 'last'].flatMap((name) => {
    const size = resolveNumber(
      counting,
      field.arguments?.find((argument) => argument.name.value === name)?.value,
    );
    return size === undefined ? [] : [{ name, size }];
  });
  const [one, another] = asked;
  const place = `\`${field.name.value}\` connection`;
  if (one === undefined) {
    throw new GithubRefusal(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the ${place}.`,
    );
  }
  if (another !== undefined) {
    throw new GithubRefusal(
      'MISSING_PAGINATION_BOUNDARIES',
      `Passing both \`first\` and \`last\` to paginate the ${place} is not supported.`,
    );
  }
  if (one.size < 1) {
    throw new GithubRefusal(
      'EXCESSIVE_PAGINATION',
      `\`${one.name}\` on the ${place} cannot be less than one.`,
    );
  }
  if (one.size > MAX_PER_PAGE) {
    throw new GithubRefusal(
      'EXCESSIVE_PAGINATION',
      `Requesting ${one.size} records on the ${place} exceeds the \`${one.name}\` limit of ${MAX_PER_PAGE} records.`,
    );
  }
  return one.size;
}

function resolveNumber(counting: CostCounter, value: ValueNode | undefined): number | undefined {
  if (value?.kind === Kind.INT) return Number(value.value);
  if (value?.kind !== Kind.VARIABLE) return undefined;
  const given = counting.variables[value.name.value];
  return typeof given === 'number' ? given : undefined;
}

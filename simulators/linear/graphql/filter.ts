/** Decides whether a node matches a filter. Rejects filter fields that are not simulated. */
import { formatIdentifier, type LinearNode } from '../model/nodes.ts';
import { NotSimulated } from '../model/refusal.ts';
import { isAmong, isComparator, matchComparators } from './comparators.ts';
import type { LinearResolverContext } from './context.ts';
import { FILTERED } from './filtered-fields.ts';

export type LinearFilter = Readonly<Record<string, unknown>>;

/** Returns whether the node meets every condition. Ignores conditions that are null. */
export function matchFilter(node: LinearNode, filter: LinearFilter, context: LinearResolverContext): boolean {
  return listConditions(filter).every(([name, wanted]) => {
    if (name === 'and')
      return (wanted as readonly LinearFilter[]).every((each) => matchFilter(node, each, context));
    if (name === 'or')
      return (wanted as readonly LinearFilter[]).some((each) => matchFilter(node, each, context));
    if (name === 'null') return wanted === false;
    const read = FILTERED[node.node]?.[name];
    if (read === undefined) throw new NotSimulated(`The simulator does not filter ${node.node} by ${name}`);
    const value = (read as (node: LinearNode, context: LinearResolverContext) => unknown)(node, context);
    const asked = wanted as LinearFilter;
    return matchValue(
      value,
      node.node === 'Issue' && name === 'id' ? toUuidFilter(asked, node) : asked,
      context,
    );
  });
}

/** Allows filtering an issue by its identifier as well as its UUID. */
function toUuidFilter(wanted: LinearFilter, issue: Extract<LinearNode, { node: 'Issue' }>): LinearFilter {
  const identifier = formatIdentifier(issue);
  return Object.fromEntries(
    listConditions(wanted).map(([name, each]) => {
      if (Array.isArray(each)) return [name, isAmong(each, identifier) ? [...each, issue.id] : each];
      return [name, each === identifier ? issue.id : each];
    }),
  );
}

function matchValue(value: unknown, wanted: LinearFilter, context: LinearResolverContext): boolean {
  if (Array.isArray(value)) return matchCollection(value as readonly LinearNode[], wanted, context);
  if (isNode(value)) return matchFilter(value, wanted, context);
  // A missing value matches only a filter for null. The keys of the filter show whether it is for a
  // node or for a plain value.
  if (value === undefined && !isComparator(wanted)) {
    return listConditions(wanted).every(([name, each]) => matchEmpty(name, each, context));
  }
  return matchComparators(value as string | number | boolean | undefined, wanted);
}

function matchEmpty(name: string, wanted: unknown, context: LinearResolverContext): boolean {
  if (name === 'null') return wanted === true;
  if (name === 'or')
    return (wanted as readonly LinearFilter[]).some((each) => matchValue(undefined, each, context));
  return (
    name === 'and' &&
    (wanted as readonly LinearFilter[]).every((each) => matchValue(undefined, each, context))
  );
}

/**
 * Returns whether a list of nodes matches. `some`, `every` and `length` apply to the list. Any
 * other condition must be met by at least one node.
 */
function matchCollection(
  nodes: readonly LinearNode[],
  wanted: LinearFilter,
  context: LinearResolverContext,
): boolean {
  return listConditions(wanted).every(([name, each]) => {
    const filter = each as LinearFilter;
    if (name === 'some') return nodes.some((node) => matchFilter(node, filter, context));
    if (name === 'every') return nodes.every((node) => matchFilter(node, filter, context));
    if (name === 'length') return matchComparators(nodes.length, filter);
    if (name === 'null') return (nodes.length === 0) === each;
    if (name === 'and')
      return (each as readonly LinearFilter[]).every((one) => matchCollection(nodes, one, context));
    if (name === 'or')
      return (each as readonly LinearFilter[]).some((one) => matchCollection(nodes, one, context));
    return nodes.some((node) => matchFilter(node, { [name]: each }, context));
  });
}

function listConditions(filter: LinearFilter): [string, unknown][] {
  return Object.entries(filter).filter(([, wanted]) => wanted != null);
}

function isNode(value: unknown): value is LinearNode {
  return typeof value === 'object' && value !== null && 'node' in value;
}

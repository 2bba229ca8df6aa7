/** Whether something passes a filter; what a filter may say and the simulator does not know is refused loudly. */
import { identifierOf, type LinearNode } from '../model/nodes.ts';
import { NotSimulated } from '../model/refusal.ts';
import { compares, isAmong, isComparator } from './comparators.ts';
import type { Context } from './context.ts';
import { FILTERED } from './filtered-fields.ts';

export type Filter = Readonly<Record<string, unknown>>;

/** Every condition has to hold; one that is null is none. */
export function matches(node: LinearNode, filter: Filter, context: Context): boolean {
  return conditions(filter).every(([name, wanted]) => {
    if (name === 'and') return (wanted as readonly Filter[]).every((each) => matches(node, each, context));
    if (name === 'or') return (wanted as readonly Filter[]).some((each) => matches(node, each, context));
    if (name === 'null') return wanted === false;
    const read = FILTERED[node.node]?.[name];
    if (read === undefined) throw new NotSimulated(`The simulator does not filter ${node.node} by ${name}`);
    const value = (read as (node: LinearNode, context: Context) => unknown)(node, context);
    const asked = wanted as Filter;
    return holds(value, node.node === 'Issue' && name === 'id' ? byUuid(asked, node) : asked, context);
  });
}

/** An issue is asked for by its UUID or its identifier. */
function byUuid(wanted: Filter, issue: Extract<LinearNode, { node: 'Issue' }>): Filter {
  const identifier = identifierOf(issue);
  return Object.fromEntries(
    conditions(wanted).map(([name, each]) => {
      if (Array.isArray(each)) return [name, isAmong(each, identifier) ? [...each, issue.id] : each];
      return [name, each === identifier ? issue.id : each];
    }),
  );
}

function holds(value: unknown, wanted: Filter, context: Context): boolean {
  if (Array.isArray(value)) return collectionHolds(value as readonly LinearNode[], wanted, context);
  if (isNode(value)) return matches(value, wanted, context);
  // An empty place passes nothing but the question whether it is empty; whether it is one of a node or of a value, the filter says.
  if (value === undefined && !isComparator(wanted)) {
    return conditions(wanted).every(([name, each]) => emptyHolds(name, each, context));
  }
  return compares(value as string | number | boolean | undefined, wanted);
}

function emptyHolds(name: string, wanted: unknown, context: Context): boolean {
  if (name === 'null') return wanted === true;
  if (name === 'or') return (wanted as readonly Filter[]).some((each) => holds(undefined, each, context));
  return name === 'and' && (wanted as readonly Filter[]).every((each) => holds(undefined, each, context));
}

/** A condition beside `some`, `every` and `length` asks for one that fulfils it. */
function collectionHolds(nodes: readonly LinearNode[], wanted: Filter, context: Context): boolean {
  return conditions(wanted).every(([name, each]) => {
    const filter = each as Filter;
    if (name === 'some') return nodes.some((node) => matches(node, filter, context));
    if (name === 'every') return nodes.every((node) => matches(node, filter, context));
    if (name === 'length') return compares(nodes.length, filter);
    if (name === 'null') return (nodes.length === 0) === each;
    if (name === 'and')
      return (each as readonly Filter[]).every((one) => collectionHolds(nodes, one, context));
    if (name === 'or') return (each as readonly Filter[]).some((one) => collectionHolds(nodes, one, context));
    return nodes.some((node) => matches(node, { [name]: each }, context));
  });
}

function conditions(filter: Filter): [string, unknown][] {
  return Object.entries(filter).filter(([, wanted]) => wanted != null);
}

function isNode(value: unknown): value is LinearNode {
  return typeof value === 'object' && value !== null && 'node' in value;
}

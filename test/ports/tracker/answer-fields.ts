/**
 * Lists the fields that queries request from the records they read, so that a test can put a
 * hostile value into each field.
 */
import {
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';

export interface AnswerField {
  /** Record type, such as `Issue`. */
  readonly record: string;
  /** Path from the record to the field, such as `labels.nodes[].name`. */
  readonly path: string;
  readonly type: GraphQLOutputType;
}

interface Frame {
  readonly record: string;
  readonly path: string;
}

export interface Asked {
  readonly schema: GraphQLSchema;
  readonly documents: readonly string[];
  /** Record types whose fields are listed. */
  readonly records: readonly string[];
  /** Types that belong to the board and not to one record. Their fields are skipped. */
  readonly shared: readonly string[];
}

/**
 * Returns each record and path once, even if several documents request it. A nested record starts
 * its own path.
 */
export function fieldsAsked({ schema, documents, records, shared }: Asked): readonly AnswerField[] {
  const found = new Map<string, AnswerField>();

  function walk(
    set: SelectionSetNode,
    parent: GraphQLNamedType,
    frames: readonly Frame[],
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const { selectionSet } = selection;
        const type = typeOfField(parent, selection.name.value);
        if (type === undefined) continue;
        const key = selection.alias?.value ?? selection.name.value;
        const named = getNamedType(type);
        const below = frames.map(({ record, path }) => ({
          record,
          path: path === '' ? key : `${path}.${key}`,
        }));
        for (const { record, path } of below) found.set(`${record} ${path}`, { record, path, type });
        if (selectionSet === undefined || shared.includes(named.name)) continue;
        const list = isListType(getNullableType(type)) ? '[]' : '';
        const inner = below.map(({ record, path }) => ({ record, path: `${path}${list}` }));
        walk(selectionSet, named, withRecord(inner, named), fragments);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment === undefined) throw new Error('a document references a fragment that it does not define');
      const condition = fragment.typeCondition?.name.value;
      const type = condition === undefined ? parent : (schema.getType(condition) ?? parent);
      const isNarrower = type !== parent;
      walk(fragment.selectionSet, type, isNarrower ? withRecord(frames, type) : frames, fragments);
    }
  }

  function withRecord(frames: readonly Frame[], { name }: GraphQLNamedType): readonly Frame[] {
    return records.includes(name) ? [{ record: name, path: '' }] : frames;
  }

  for (const document of documents) {
    const { definitions } = parse(document);
    const fragments = new Map(
      definitions.flatMap((each) =>
        each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
      ),
    );
    const query = schema.getQueryType();
    for (const each of definitions)
      if (each.kind === Kind.OPERATION_DEFINITION && query) walk(each.selectionSet, query, [], fragments);
  }
  return [...found.values()];
}

function typeOfField(parent: GraphQLNamedType, name: string): GraphQLOutputType | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
}

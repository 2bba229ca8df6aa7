/** The whole workspace, its clock and its ids; who wants to know of changes is told of each. */

import { randomUUID } from 'node:crypto';
import type { Rewrite } from '../../rewrites.ts';
import type { Change } from './change.ts';
import {
  type Issue,
  identifierOf,
  type LinearNode,
  type NodeName,
  type NodeOf,
  type Organization,
  type Team,
  type User,
} from './nodes.ts';
import { invalid } from './refusal.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Credential {
  readonly user: User;
  /** Undefined: all that the user may. */
  readonly scopes: readonly string[] | undefined;
  /** A personal key is sent as it is, an access token as a bearer's. */
  readonly kind: 'key' | 'token';
}

/** Ids that clients make have to look like this; Linear makes its own the same way. */
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export interface OddField {
  readonly matches: (node: LinearNode) => boolean;
  readonly field: string;
  readonly answer: (value: unknown) => unknown;
}

export class World {
  readonly organization: Organization;
  readonly credentials = new Map<string, Credential>();
  /** Fields that are answered otherwise than the world has them. */
  readonly oddFields: OddField[] = [];
  /** Changes to finished answers. */
  readonly rewrites: Rewrite<LinearNode>[] = [];
  readonly #clock: Clock;
  readonly #nodes = new Map<string, LinearNode>();
  readonly #lists = new Map<NodeName, Set<LinearNode>>();
  readonly #listeners: ((change: Change) => void)[] = [];
  #order = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.organization = this.add({
      ...this.identity('Organization'),
      node: 'Organization',
      name: 'Acme',
      urlKey: 'acme',
    });
  }

  now(): number {
    return this.#clock.now();
  }

  /** Counts every change; Linear calls it the last sync id. */
  get order(): number {
    return this.#order;
  }

  /** `id` is the client's, where it made one: in the form of a UUID v4, and not in use. */
  identity(
    entity: NodeName,
    id?: string | null,
  ): Pick<Issue, 'id' | 'order' | 'createdAt' | 'updatedAt' | 'archivedAt'> {
    if (id != null && !UUID_V4.test(id)) throw invalid(`id must be a UUID v4: ${id}`);
    if (id != null && this.#nodes.has(id.toLowerCase()))
      throw invalid(`${entity} with the id ${id} already exists`);
    this.#order += 1;
    const now = this.now();
    return {
      id: id?.toLowerCase() ?? randomUUID(),
      order: this.#order,
      createdAt: now,
      updatedAt: now,
      archivedAt: undefined,
    };
  }

  add<N extends LinearNode>(node: N): N {
    this.#nodes.set(node.id, node);
    const list = this.#lists.get(node.node) ?? new Set();
    this.#lists.set(node.node, list.add(node));
    return node;
  }

  remove(node: LinearNode): void {
    this.#nodes.delete(node.id);
    this.#lists.get(node.node)?.delete(node);
  }

  /** Oldest first. */
  all<N extends NodeName>(name: N): NodeOf<N>[] {
    return [...(this.#lists.get(name) ?? [])] as NodeOf<N>[];
  }

  byId<N extends NodeName>(name: N, id: string): NodeOf<N> | undefined {
    const node = this.#nodes.get(id.toLowerCase());
    return node?.node === name ? (node as NodeOf<N>) : undefined;
  }

  /** By UUID, by identifier, or by one it had before. */
  issue(id: string): Issue | undefined {
    const wanted = id.toUpperCase();
    const issues = () => this.all('Issue');
    return (
      this.byId('Issue', id) ??
      issues().find((each) => identifierOf(each).toUpperCase() === wanted) ??
      issues().find(({ previousIdentifiers }) =>
        previousIdentifiers.some((each) => each.toUpperCase() === wanted),
      )
    );
  }

  /** By UUID or key. */
  team(id: string): Team | undefined {
    return (
      this.byId('Team', id) ?? this.all('Team').find(({ key }) => key.toLowerCase() === id.toLowerCase())
    );
  }

  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  changed(change: Change): void {
    this.#order += 1;
    for (const listener of this.#listeners) listener(change);
  }
}

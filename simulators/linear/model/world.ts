/** Holds the whole workspace, its clock and its ids, and notifies listeners of each change. */

import { randomUUID } from 'node:crypto';
import type { FieldRewrite } from '../../rewrites.ts';
import type { LinearChange } from './change.ts';
import {
  formatIdentifier,
  type Issue,
  type LinearNode,
  type NodeName,
  type NodeOf,
  type Organization,
  type Team,
  type User,
} from './nodes.ts';
import { toInvalidInput } from './refusal.ts';

export interface LinearClock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface LinearCredential {
  readonly user: User;
  /** Undefined grants all permissions of the user. */
  readonly scopes: readonly string[] | undefined;
  /** A personal key is sent without a prefix, an access token with the Bearer prefix. */
  readonly kind: 'key' | 'token';
}

/** Format of ids that clients create. Linear's own ids have the same format. */
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export interface OddField {
  readonly matches: (node: LinearNode) => boolean;
  readonly field: string;
  readonly answer: (value: unknown) => unknown;
}

export class LinearWorld {
  readonly organization: Organization;
  readonly credentials = new Map<string, LinearCredential>();
  /** Fields whose values a test overrides. */
  readonly oddFields: OddField[] = [];
  /** Rewrites of finished responses. */
  readonly rewrites: FieldRewrite<LinearNode>[] = [];
  readonly #clock: LinearClock;
  readonly #nodes = new Map<string, LinearNode>();
  readonly #lists = new Map<NodeName, Set<LinearNode>>();
  readonly #listeners: ((change: LinearChange) => void)[] = [];
  #order = 0;

  constructor(clock: LinearClock) {
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

  /** The number of changes so far, which Linear calls the last sync id. */
  get order(): number {
    return this.#order;
  }

  /** `id` is the id that the client chose, if any. It must be an unused UUID v4. */
  identity(
    entity: NodeName,
    id?: string | null,
  ): Pick<Issue, 'id' | 'order' | 'createdAt' | 'updatedAt' | 'archivedAt'> {
    if (id != null && !UUID_V4.test(id)) throw toInvalidInput(`id must be a UUID v4: ${id}`);
    if (id != null && this.#nodes.has(id.toLowerCase()))
      throw toInvalidInput(`${entity} with the id ${id} already exists`);
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

  /** Returns all nodes of a type, oldest first. */
  all<N extends NodeName>(name: N): NodeOf<N>[] {
    return [...(this.#lists.get(name) ?? [])] as NodeOf<N>[];
  }

  byId<N extends NodeName>(name: N, id: string): NodeOf<N> | undefined {
    const node = this.#nodes.get(id.toLowerCase());
    return node?.node === name ? (node as NodeOf<N>) : undefined;
  }

  /** Accepts a UUID, an identifier, or a previous identifier. */
  issue(id: string): Issue | undefined {
    const wanted = id.toUpperCase();
    const issues = () => this.all('Issue');
    return (
      this.byId('Issue', id) ??
      issues().find((each) => formatIdentifier(each).toUpperCase() === wanted) ??
      issues().find(({ previousIdentifiers }) =>
        previousIdentifiers.some((each) => each.toUpperCase() === wanted),
      )
    );
  }

  /** Accepts a UUID or a key. */
  team(id: string): Team | undefined {
    return (
      this.byId('Team', id) ?? this.all('Team').find(({ key }) => key.toLowerCase() === id.toLowerCase())
    );
  }

  onChange(listener: (change: LinearChange) => void): void {
    this.#listeners.push(listener);
  }

  changed(change: LinearChange): void {
    this.#order += 1;
    for (const listener of this.#listeners) listener(change);
  }
}

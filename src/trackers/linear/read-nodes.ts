/** Reads what Linear answers without trust in its form. */
import type { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { decode } from '../../domain/decode.ts';
import { issueAnswer } from '../../integrations/linear/tracker/answer-schemas.ts';
import type { LinearIssue } from './linear-issue.ts';

/** Rejects with `linear.refused` where one is malformed, as Linear does for one that it may not show: it is then read apart. */
export function requireIssues(nodes: readonly unknown[]): readonly LinearIssue[] {
  return nodes.map((node) => requireForm(issueAnswer, node, nameOf(node)));
}

export function requireForm<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const read = decode(schema, value, what);
  if (!read.ok)
    throw new LegionError('linear.refused', `Linear’s answer is malformed: ${read.fault.message}`);
  return read.value;
}

export interface ReadNodes<T> {
  readonly nodes: readonly T[];
  /** Of those that are malformed. */
  readonly problems: readonly string[];
}

export function readNodes<T>(schema: z.ZodType<T>, nodes: readonly unknown[], what: string): ReadNodes<T> {
  const read = nodes.map((node) => decode(schema, node, what));
  return {
    nodes: read.flatMap((each) => (each.ok ? [each.value] : [])),
    problems: read.flatMap((each) => (each.ok ? [] : [each.fault.message])),
  };
}

/** How people know the issue, where that much can be read of it. */
export function nameOf(node: unknown): string {
  const { identifier } = (node ?? {}) as Partial<LinearIssue>;
  return typeof identifier === 'string' && /^\w{1,50}-\d{1,10}$/.test(identifier) ? identifier : 'issue';
}

/** Where a new issue goes: the deterministic default, which an LLM controller may override before it is carried out. */

import type { Route } from '../../core/model/signals.ts';
import { type Clarity, clarityOf } from '../../core/pipeline/triage.ts';
import type { Issue } from '../../domain/issue.ts';

const URGENT_LABELS = new Set(['urgent', 'priority:urgent', 'priority/urgent', 'p0', 'critical']);
const URGENT_PRIORITY = 1;

export interface Routing {
  readonly route: Route;
  readonly reasons: readonly string[];
  /** Posted where the issue goes to the Icebox, so that its author knows what would let it out. */
  readonly questions: readonly string[];
}

export function routeIssue(issue: Pick<Issue, 'title' | 'body' | 'labels' | 'priority'>): Routing {
  const labels = new Set(issue.labels.map((label) => label.trim().toLowerCase()));
  const clarity = clarityOf(issue.title, issue.body, labels);
  const urgent = issue.priority === URGENT_PRIORITY || [...labels].some((label) => URGENT_LABELS.has(label));
  if (!clarity.clear) return routing('Icebox', 'it is not clear enough', clarity);
  if (urgent) return routing('Todo', 'it is urgent and clear', clarity);
  // The only way past the architect, and all three are needed.
  if (labels.has('bug') && clarity.hasSteps && clarity.components.length === 1) {
    return routing('Todo', 'it is a bug with steps to reproduce in one component', clarity);
  }
  return routing('Backlog', 'it is clear', clarity);
}

function routing(route: Route, because: string, clarity: Clarity): Routing {
  return { route, reasons: [`${route}: ${because}`, ...clarity.reasons], questions: clarity.questions };
}

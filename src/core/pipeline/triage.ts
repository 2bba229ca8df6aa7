/**
 * Routes a new issue. This is the deterministic default, which an LLM controller may override
 * before it is applied.
 */
import type { Issue } from '../model/issue.ts';
import type { TriageRoute } from '../model/signals.ts';

const URGENT_LABELS = new Set(['urgent', 'priority:urgent', 'priority/urgent', 'p0', 'critical']);
const URGENT_PRIORITY = 1;

export interface TriageRouting {
  readonly route: TriageRoute;
  readonly reasons: readonly string[];
  /**
   * Posted when the issue goes to the Icebox, so that its author knows which answers would get it
   * out.
   */
  readonly questions: readonly string[];
}

export function chooseTriageRoute(
  issue: Pick<Issue, 'title' | 'body' | 'labels' | 'priority'>,
): TriageRouting {
  const labels = new Set(issue.labels.map((label) => label.trim().toLowerCase()));
  const clarity = judgeClarity(issue.title, issue.body, labels);
  const urgent = issue.priority === URGENT_PRIORITY || [...labels].some((label) => URGENT_LABELS.has(label));
  if (!clarity.clear) return createTriageRouting('Icebox', 'it is not clear enough', clarity);
  if (urgent) return createTriageRouting('Todo', 'it is urgent and clear', clarity);
  // The only way to bypass the architect. All three conditions are required.
  if (labels.has('bug') && clarity.hasSteps && clarity.components.length === 1) {
    return createTriageRouting('Todo', 'it is a bug with steps to reproduce in one component', clarity);
  }
  return createTriageRouting('Backlog', 'it is clear', clarity);
}

function createTriageRouting(route: TriageRoute, because: string, clarity: IssueClarity): TriageRouting {
  return { route, reasons: [`${route}: ${because}`, ...clarity.reasons], questions: clarity.questions };
}

/** About one full sentence. A shorter text has no usable context. */
const MIN_BODY_LENGTH = 60;

/** Only this much untrusted text is read. The checks below never need more to pass. */
const MAX_READ_LENGTH = 20_000;

export interface IssueClarity {
  readonly clear: boolean;
  /** Descriptions of the text's properties, for the journal and for people. */
  readonly reasons: readonly string[];
  /** Precise questions for the author. Empty if nothing is missing. */
  readonly questions: readonly string[];
  readonly hasSteps: boolean;
  readonly components: readonly string[];
}

/** Decides from an issue's text alone whether it says enough to work on, and lists the reasons. */
export function judgeClarity(title: string, body: string, labels: ReadonlySet<string>): IssueClarity {
  const text = body.slice(0, MAX_READ_LENGTH);
  const longEnough = text.trim().length >= MIN_BODY_LENGTH;
  const criteria = hasCriteria(text);
  const hasSteps = hasStepsToReproduce(text);
  const components = extractComponents(`${title.slice(0, MAX_READ_LENGTH)}\n${text}`, labels);
  return {
    clear: longEnough && (criteria || hasSteps || components.length > 0),
    reasons: [
      `${longEnough ? 'long enough' : 'too short'} (${text.trim().length} of ${MIN_BODY_LENGTH} characters)`,
      criteria ? 'has acceptance criteria' : 'no acceptance criteria',
      hasSteps ? 'has steps to reproduce' : 'no steps to reproduce',
      components.length > 0 ? `mentions ${components.join(', ')}` : 'mentions no component',
    ],
    questions: listClarifyingQuestions(
      { longEnough, criteria, hasSteps, named: components.length > 0 },
      labels.has('bug'),
    ),
    hasSteps,
    components,
  };
}

/** Returns whether the current text and people's comments together say enough to work on the issue. */
export function isClarified(
  { title, body, labels }: Pick<Issue, 'title' | 'body' | 'labels'>,
  comments: readonly string[],
): boolean {
  const lowered = new Set(labels.map((label) => label.trim().toLowerCase()));
  return judgeClarity(title, [body, ...comments].join('\n\n'), lowered).clear;
}

function listClarifyingQuestions(
  has: { longEnough: boolean; criteria: boolean; hasSteps: boolean; named: boolean },
  isBug: boolean,
): string[] {
  if (has.longEnough && (has.criteria || has.hasSteps || has.named)) return [];
  const questions: string[] = [];
  if (!has.longEnough) questions.push('What is the current behaviour, and what should it be instead?');
  if (isBug && !has.hasSteps) questions.push('Which steps reproduce it, and what did you expect to see?');
  if (!isBug && !has.criteria) questions.push('What must be true when it is done (acceptance criteria)?');
  if (!has.named) questions.push('Which part is it about (a file, a command, a component)?');
  return questions;
}

function hasCriteria(text: string): boolean {
  return (
    /^[ \t]*[-*] \[[ xX]\] /m.test(text) ||
    /\b(acceptance criteria|definition of done|done when|given\b[^\n]{1,200}\bthen\b)/i.test(text) ||
    /\b(should|must|shall|needs? to)\s+\w+/i.test(text)
  );
}

function hasStepsToReproduce(text: string): boolean {
  const numbered = text.match(/^[ \t]*\d+[.)]\s+\S/gm)?.length ?? 0;
  const announced = /\b(steps to reproduce|to reproduce|how to reproduce|reproduction|repro steps)\b/i.test(
    text,
  );
  const outcome = /\b(expected|actual|instead|observed)\b/i.test(text);
  return (announced && (numbered >= 1 || /\brun\b|`[^`\n]+`/i.test(text))) || (numbered >= 2 && outcome);
}

/**
 * Collects `component:` and `area:` labels, paths, and `code` that looks like a name rather than a
 * sentence.
 */
function extractComponents(text: string, labels: ReadonlySet<string>): string[] {
  const components = new Set<string>();
  for (const label of labels) {
    const match = /^(?:component|area)[:/ ]\s*(\S.{0,60})$/i.exec(label);
    if (match?.[1] !== undefined) components.add(match[1].toLowerCase());
  }
  for (const [, name = ''] of text.matchAll(
    /^[ \t]*(?:component|area|module)\s*:\s*([\w./-]{2,60})\s*$/gim,
  )) {
    components.add(name.toLowerCase());
  }
  if (components.size > 0) return [...components];
  for (const [, path = ''] of text.matchAll(/(?:^|[\s`("'])((?:[\w.-]+\/)+[\w-]+\.\w{1,8})\b/gm)) {
    components.add(path.toLowerCase());
  }
  if (components.size > 0) return [...components];
  for (const [, name = ''] of text.matchAll(/`([A-Za-z][\w.-]{1,40}(?:\(\))?)`/g))
    components.add(name.toLowerCase());
  return [...components];
}

/** Whether an issue's text says enough to work on: a pure reading of it, with its reasons listed. */

import type { Issue } from '../../domain/issue.ts';

/** Below this much text there is no context to speak of: about one full sentence. */
const MIN_BODY_LENGTH = 60;

/** Text from outside is read up to here; a longer one is long enough for every question asked of it. */
const READ_LENGTH = 20_000;

export interface Clarity {
  readonly clear: boolean;
  /** What the text has, in words, for the journal and for people. */
  readonly reasons: readonly string[];
  /** What to ask the author for, precisely; empty where nothing is missing. */
  readonly questions: readonly string[];
  readonly hasSteps: boolean;
  readonly components: readonly string[];
}

export function clarityOf(title: string, body: string, labels: ReadonlySet<string>): Clarity {
  const text = body.slice(0, READ_LENGTH);
  const longEnough = text.trim().length >= MIN_BODY_LENGTH;
  const criteria = hasCriteria(text);
  const hasSteps = hasStepsToReproduce(text);
  const components = componentsIn(`${title.slice(0, READ_LENGTH)}\n${text}`, labels);
  return {
    clear: longEnough && (criteria || hasSteps || components.length > 0),
    reasons: [
      `${longEnough ? 'long enough' : 'too short'} (${text.trim().length} of ${MIN_BODY_LENGTH} characters)`,
      criteria ? 'has acceptance criteria' : 'no acceptance criteria',
      hasSteps ? 'has steps to reproduce' : 'no steps to reproduce',
      components.length > 0 ? `names ${components.join(', ')}` : 'names no component',
    ],
    questions: questionsFor(
      { longEnough, criteria, hasSteps, named: components.length > 0 },
      labels.has('bug'),
    ),
    hasSteps,
    components,
  };
}

/** Whether the text, as it is now, and what people have added to it in comments say enough together. */
export function isClarified(
  { title, body, labels }: Pick<Issue, 'title' | 'body' | 'labels'>,
  comments: readonly string[],
): boolean {
  const lowered = new Set(labels.map((label) => label.trim().toLowerCase()));
  return clarityOf(title, [body, ...comments].join('\n\n'), lowered).clear;
}

function questionsFor(
  has: { longEnough: boolean; criteria: boolean; hasSteps: boolean; named: boolean },
  isBug: boolean,
): string[] {
  if (has.longEnough && (has.criteria || has.hasSteps || has.named)) return [];
  const questions: string[] = [];
  if (!has.longEnough) questions.push('What is the present behaviour, and what should it be instead?');
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

/** `component:` and `area:` labels, paths, and `code` that looks like a name rather than a sentence. */
function componentsIn(text: string, labels: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const label of labels) {
    const match = /^(?:component|area)[:/ ]\s*(\S.{0,60})$/i.exec(label);
    if (match?.[1] !== undefined) found.add(match[1].toLowerCase());
  }
  for (const [, name = ''] of text.matchAll(
    /^[ \t]*(?:component|area|module)\s*:\s*([\w./-]{2,60})\s*$/gim,
  )) {
    found.add(name.toLowerCase());
  }
  if (found.size > 0) return [...found];
  for (const [, path = ''] of text.matchAll(/(?:^|[\s`("'])((?:[\w.-]+\/)+[\w-]+\.\w{1,8})\b/gm)) {
    found.add(path.toLowerCase());
  }
  if (found.size > 0) return [...found];
  for (const [, name = ''] of text.matchAll(/`([A-Za-z][\w.-]{1,40}(?:\(\))?)`/g))
    found.add(name.toLowerCase());
  return [...found];
}

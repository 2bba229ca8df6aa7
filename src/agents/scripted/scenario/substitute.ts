/** Puts the facts of a turn into the texts of a step, where the scenario says `${issue}`, `${title}` and the like. */
import type { Facts } from '../facts.ts';
import type { Step, StepName } from './step.ts';

/** Their words become a command line, where no text of an issue belongs. */
const WITHOUT_TITLE: readonly StepName[] = ['run', 'verdict_from'];

/** Anything else between braces stays as it is: a scenario may write programs. */
const PLACEHOLDER = /\$\{(issue|title|mode|phase|purpose|attempt)\}/g;

export async function substituted<N extends StepName>(
  step: Step<N>,
  facts: Facts,
  title: () => Promise<string>,
): Promise<Step<N>> {
  const text = JSON.stringify(step.input);
  if (!text.includes('${')) return step;
  const named = new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name));
  const wantsTitle = named.has('title') && !WITHOUT_TITLE.includes(step.name);
  const words: Readonly<Record<string, string>> = {
    ...{ issue: facts.issue, mode: facts.mode, phase: facts.phase, purpose: facts.purpose },
    attempt: String(facts.attempt),
    ...(wantsTitle ? { title: await title() } : {}),
  };
  return { ...step, input: replaced(step.input, words) };
}

function replaced<T>(value: T, words: Readonly<Record<string, string>>): T;
function replaced(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return value.replace(PLACEHOLDER, (whole, name) => words[name] ?? whole);
  if (Array.isArray(value)) return value.map((each) => replaced(each, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, words)]));
}

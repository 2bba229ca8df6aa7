/** Describes decisions for people. */
import type { Decision } from '../../core/model/action.ts';
import type { Issue } from '../../core/model/issue.ts';
import { REASONS } from '../../core/pipeline/reasons.ts';
import { redactSecrets } from '../../lib/text/redact.ts';
import type { AdvanceAnswer } from '../../protocol/operator.ts';

/**
 * Describes a decision's reason. Returns the reason's name if this version does not know the
 * reason, which happens with a journal written by another version.
 */
export function describeReason(reason: string): string {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS].says : reason;
}

export function toDecisionView({ action, mode, reason }: Decision): AdvanceAnswer['decisions'][number] {
  return { action, mode, reason, says: describeReason(reason) };
}

/**
 * Describes the problems of an issue's own record, with the same text in every view. Undefined if
 * there are none, so that the field is absent from the JSON.
 */
export function listProblemTexts({ problems = [] }: Issue): string[] | undefined {
  return problems.length === 0 ? undefined : problems.map(({ text }) => text);
}

/**
 * Formats program output as a Markdown code block. The fence is longer than any fence in the
 * output, so that no part of the output is interpreted as markup or as a mention.
 */
export function quoteAsCode(output: string): string {
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${output}\n${fence}`;
}

const WORKER_TOKEN = /\blw1\.[\w-]+\.[\w-]+/g;

/**
 * Redacts secrets from the output of programs that run for Legion, because it may be posted where
 * strangers read it.
 */
export function redactOutput(text: string): string {
  return redactSecrets(redactTokens(text));
}

/**
 * Redacts worker tokens: a worker may print its environment, and anyone with its token could act as
 * that worker.
 */
export function redactTokens(text: string): string {
  return text.replace(WORKER_TOKEN, '[redacted]');
}

/**
 * Parses a template strictly: every name must be known, every brace and fence closed, and every
 * required block present.
 */

import { quoteText } from '../../core/model/fault.ts';
import type {
  BlockName,
  PromptTemplate,
  ProsePiece,
  TemplateForm,
  TemplatePart,
  VariableName,
} from '../context/prompt-template.ts';

interface TemplateProblem {
  /** Line number, starting at 1. */
  readonly line: number;
  /** States the problem and what is allowed. */
  readonly message: string;
}

export type TemplateParseResult =
  | { readonly ok: true; readonly template: PromptTemplate }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * A person who approves a template must see all of it, so it must not contain invisible characters
 * or text direction overrides.
 */
const INVISIBLE = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{fffd}]/u;

export function parseTemplate(form: TemplateForm, text: string): TemplateParseResult {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const reading = new TemplateParser(form);
  for (const [index, line] of lines.entries()) reading.take(line, index + 1);
  const { problems, parts } = reading.end(lines.length);
  return problems.length === 0
    ? { ok: true, template: { name: form.name, parts } }
    : { ok: false, problems: problems.toSorted((a, b) => a.line - b.line) };
}

class TemplateParser {
  readonly #form: TemplateForm;
  readonly #blocks: ReadonlySet<string>;
  readonly #variables: ReadonlySet<string>;
  readonly #problems: TemplateProblem[] = [];
  readonly #parts: TemplatePart[] = [];
  readonly #found = new Set<string>();
  #prose: ProsePiece[] = [];
  /**
   * Code fence that the template itself has opened. A block inside it is refused, because the
   * block's own fence would be treated as plain text.
   */
  #fence: { readonly marks: string; readonly line: number } | undefined;

  constructor(form: TemplateForm) {
    this.#form = form;
    this.#blocks = new Set([...form.required, ...form.optional]);
    this.#variables = new Set(form.variables);
  }

  take(line: string, number: number): void {
    const block = /^\{\{([^{}]*)\}\}\s*$/.exec(line)?.[1] ?? '';
    if (this.#form.first !== undefined && number === 1 && block !== this.#form.first)
      this.#refuse(number, `the first line must be {{${this.#form.first}}}`);
    if (INVISIBLE.test(line)) this.#refuse(number, 'contains an invisible or control character');
    if (this.#blocks.has(block)) this.#takeBlock(block as BlockName, number);
    else this.#takeProse(line, number);
  }

  end(lines: number): { problems: readonly TemplateProblem[]; parts: readonly TemplatePart[] } {
    this.#endProse();
    if (this.#fence !== undefined) this.#refuse(this.#fence.line, 'opens a code fence that is not closed');
    if (this.#parts.length === 0 && this.#problems.length === 0) this.#refuse(1, 'is empty');
    for (const block of this.#form.required) {
      if (!this.#found.has(block)) this.#refuse(lines, `{{${block}}} is missing; put it on its own line`);
    }
    return { problems: this.#problems, parts: this.#parts };
  }

  #takeBlock(block: BlockName, number: number): void {
    if (this.#found.has(block)) this.#refuse(number, `{{${block}}} appears twice`);
    if (this.#fence !== undefined) this.#refuse(number, `{{${block}}} is inside a code fence`);
    this.#found.add(block);
    this.#endProse();
    this.#parts.push({ kind: 'block', block });
  }

  #takeProse(line: string, number: number): void {
    this.#watchFence(line, number);
    let from = 0;
    for (const match of line.matchAll(PLACEHOLDER)) {
      const name = match[1] ?? '';
      if (this.#variables.has(name)) {
        this.#prose.push(line.slice(from, match.index), { variable: name as VariableName });
      } else {
        this.#refuse(number, this.#whyNot(name));
      }
      from = match.index + match[0].length;
    }
    this.#prose.push(`${line.slice(from)}\n`);
    const rest = line.replace(PLACEHOLDER, ' ');
    if (rest.includes('{{')) this.#refuse(number, '"{{" is not closed by "}}" on the same line');
    else if (rest.includes('}}')) this.#refuse(number, '"}}" has no opening "{{"');
  }

  #watchFence(line: string, number: number): void {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marks === undefined) return;
    if (this.#fence === undefined) this.#fence = { marks, line: number };
    else if (marks.startsWith(this.#fence.marks)) this.#fence = undefined;
  }

  #whyNot(name: string): string {
    if (this.#blocks.has(name)) return `{{${name}}} must be on its own line`;
    const blocks = [...this.#blocks].join(', ') || 'none';
    return `unknown name ${quoteText(name)}; valid variables: ${[...this.#variables].join(', ')}; valid blocks: ${blocks}`;
  }

  #endProse(): void {
    const isText = this.#prose.some((piece) => typeof piece !== 'string' || piece.trim() !== '');
    if (isText) this.#parts.push({ kind: 'prose', pieces: this.#prose });
    this.#prose = [];
  }

  #refuse(line: number, message: string): void {
    this.#problems.push({ line, message });
  }
}

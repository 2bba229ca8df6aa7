/** Reads a template strictly: what it names must be known, what it opens must be closed, what it must say must be there. */
import { shown } from '../../core/model/fault.ts';
import type { BlockName, Form, TemplateName, VariableName } from '../context/prompt-template.ts';

/** Text between blocks, or the place of a block. */
type Part =
  | { readonly kind: 'prose'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'block'; readonly block: BlockName };

export type Piece = string | { readonly variable: VariableName };

export interface Template {
  readonly name: TemplateName;
  readonly parts: readonly Part[];
}

interface TemplateProblem {
  /** From 1. */
  readonly line: number;
  /** What was found and what is allowed. */
  readonly says: string;
}

export type Parsed =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

const NAMED = /\{\{([^{}]*)\}\}/g;

/** Whoever approves a template must see all of it: nothing invisible, nothing that turns a line round. */
const INVISIBLE = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{fffd}]/u;

export function parseTemplate(form: Form, text: string): Parsed {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const reading = new Reading(form);
  for (const [index, line] of lines.entries()) reading.take(line, index + 1);
  const { problems, parts } = reading.end(lines.length);
  return problems.length === 0
    ? { ok: true, template: { name: form.name, parts } }
    : { ok: false, problems: problems.toSorted((a, b) => a.line - b.line) };
}

class Reading {
  readonly #form: Form;
  readonly #blocks: ReadonlySet<string>;
  readonly #variables: ReadonlySet<string>;
  readonly #problems: TemplateProblem[] = [];
  readonly #parts: Part[] = [];
  readonly #found = new Set<string>();
  #prose: Piece[] = [];
  /** A code fence of the template itself: a block within would have its own fence taken for text. */
  #fence: { readonly marks: string; readonly line: number } | undefined;

  constructor(form: Form) {
    this.#form = form;
    this.#blocks = new Set([...form.required, ...form.optional]);
    this.#variables = new Set(form.variables);
  }

  take(line: string, number: number): void {
    const block = /^\{\{([^{}]*)\}\}\s*$/.exec(line)?.[1] ?? '';
    if (this.#form.first !== undefined && number === 1 && block !== this.#form.first)
      this.#refuse(number, `the first line must be {{${this.#form.first}}}`);
    if (INVISIBLE.test(line)) this.#refuse(number, 'has an invisible or control character');
    if (this.#blocks.has(block)) this.#takeBlock(block as BlockName, number);
    else this.#takeProse(line, number);
  }

  end(lines: number): { problems: readonly TemplateProblem[]; parts: readonly Part[] } {
    this.#endProse();
    if (this.#fence !== undefined) this.#refuse(this.#fence.line, 'opens a code fence that is not closed');
    if (this.#parts.length === 0 && this.#problems.length === 0) this.#refuse(1, 'is empty');
    for (const block of this.#form.required) {
      if (!this.#found.has(block)) this.#refuse(lines, `{{${block}}} is missing; give it a line of its own`);
    }
    return { problems: this.#problems, parts: this.#parts };
  }

  #takeBlock(block: BlockName, number: number): void {
    if (this.#found.has(block)) this.#refuse(number, `{{${block}}} is there twice`);
    if (this.#fence !== undefined) this.#refuse(number, `{{${block}}} stands inside a code fence`);
    this.#found.add(block);
    this.#endProse();
    this.#parts.push({ kind: 'block', block });
  }

  #takeProse(line: string, number: number): void {
    this.#watchFence(line, number);
    let from = 0;
    for (const match of line.matchAll(NAMED)) {
      const name = match[1] ?? '';
      if (this.#variables.has(name)) {
        this.#prose.push(line.slice(from, match.index), { variable: name as VariableName });
      } else {
        this.#refuse(number, this.#whyNot(name));
      }
      from = match.index + match[0].length;
    }
    this.#prose.push(`${line.slice(from)}\n`);
    const rest = line.replace(NAMED, ' ');
    if (rest.includes('{{')) this.#refuse(number, '"{{" is not closed by "}}" on the same line');
    else if (rest.includes('}}')) this.#refuse(number, '"}}" closes nothing');
  }

  #watchFence(line: string, number: number): void {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marks === undefined) return;
    if (this.#fence === undefined) this.#fence = { marks, line: number };
    else if (marks.startsWith(this.#fence.marks)) this.#fence = undefined;
  }

  #whyNot(name: string): string {
    if (this.#blocks.has(name)) return `{{${name}}} must stand on a line of its own`;
    const blocks = [...this.#blocks].join(', ') || 'none';
    return `unknown name ${shown(name)}; variables here: ${[...this.#variables].join(', ')}; blocks: ${blocks}`;
  }

  #endProse(): void {
    const isText = this.#prose.some((piece) => typeof piece !== 'string' || piece.trim() !== '');
    if (isText) this.#parts.push({ kind: 'prose', pieces: this.#prose });
    this.#prose = [];
  }

  #refuse(line: number, says: string): void {
    this.#problems.push({ line, says });
  }
}

/**
 * Turns a worker's output into items as it arrives, and keeps no more than a person could scroll
 * through.
 */
import type { AgentLine } from '../../../../../src/protocol/agent-line.ts';
import { LineSplitter } from '../../../../../src/protocol/line-splitter.ts';
import { formatMoment } from '../../../clock/format-time.ts';
import { toPlainText } from '../../../text/plain.ts';
import { parseAgentLine } from './agent-line.ts';
import { getSearchText, type TranscriptContent, type TranscriptItem, type TurnUsage } from './item.ts';

/** Several thousand screens of text, or about 30 MB of browser memory including indexes. */
export const MAX_CHARACTERS = 6_000_000;
const MAX_ITEMS = 40_000;
/**
 * Share of the items that is dropped at a time, because moving the whole list for every new line
 * would be too slow.
 */
const LEFT_OUT_SHARE = 0.1;
/**
 * While the reader has scrolled up, items are dropped only once the limit is exceeded by this
 * factor.
 */
const HELD_TIMES = 2;

const NO_USAGE: TurnUsage = { in: 0, out: 0, usd: 0 };

export class Transcript {
  #lines = new LineSplitter();
  #items: TranscriptItem[] = [];
  #first = 0;
  #chars = 0;
  /**
   * Item number of each running tool call, by call id. Needed because the line that ends a call
   * contains only the id.
   */
  #tools = new Map<string, number>();
  /**
   * Usage of the current turn. Reported once at the end of the turn, because a line after each
   * response would hide the work.
   */
  #used = NO_USAGE;

  get items(): readonly TranscriptItem[] {
    return this.#items;
  }

  /** Number of items that were dropped from the start. */
  get leftOut(): number {
    return this.#first;
  }

  take(text: string, isHeld: boolean): void {
    for (const line of this.#lines.take(text)) this.#takeLine(line);
    this.#dropOldest(isHeld ? HELD_TIMES : 1);
  }

  #takeLine(line: string | undefined): void {
    if (line?.trim() === '') return;
    const parsed = line === undefined ? undefined : parseAgentLine(line);
    if (line === undefined) this.#add({ kind: 'note', text: '(a line too long to show)', isWarning: false });
    else if (parsed === undefined) this.#addRaw(toPlainText(line));
    else this.#takeAgentLine(parsed);
  }

  #takeAgentLine(line: AgentLine): void {
    if (line.type === 'tool_started') this.#tools.set(line.id, this.#first + this.#items.length);
    if (line.type === 'tool_ended') this.#settle(line);
    if (line.type === 'usage') {
      const { in: tokensIn, out, usd } = this.#used;
      this.#used = { in: tokensIn + line.in, out: out + line.out, usd: usd + (line.usd ?? 0) };
    }
    for (const content of toContent(line, this.#used)) this.#add(content);
    if (line.type === 'turn_ended') this.#used = NO_USAGE;
  }

  /** Combines consecutive lines into rows, because a million rows would make every step slow. */
  #addRaw(text: string): void {
    const last = this.#items.at(-1);
    if (last?.kind !== 'raw' || last.lines >= ROW_LINES || last.text.length + text.length > ROW_CHARS) {
      for (const piece of splitIntoRows(text)) this.#add({ kind: 'raw', text: piece, lines: 1 });
      return;
    }
    this.#chars += text.length + 1;
    this.#items[this.#items.length - 1] = { ...last, text: `${last.text}\n${text}`, lines: last.lines + 1 };
  }

  #add(content: TranscriptContent): void {
    this.#items.push({ ...content, number: this.#first + this.#items.length });
    this.#chars += getSearchText(content).length;
  }

  #settle({ id, failed, result = '' }: Extract<AgentLine, { type: 'tool_ended' }>): void {
    const index = (this.#tools.get(id) ?? -1) - this.#first;
    this.#tools.delete(id);
    const item = this.#items[index];
    if (item?.kind !== 'tool') return;
    const text = toPlainText(result).trimEnd();
    this.#items[index] = { ...item, outcome: failed ? 'failed' : 'done', result: text };
    this.#chars += text.length;
  }

  #dropOldest(times: number): void {
    if (this.#chars <= MAX_CHARACTERS * times && this.#items.length <= MAX_ITEMS * times) return;
    const maxItems = MAX_ITEMS * (1 - LEFT_OUT_SHARE);
    const maxChars = MAX_CHARACTERS * (1 - LEFT_OUT_SHARE);
    let removedCount = 0;
    for (const item of this.#items) {
      if (this.#chars <= maxChars && this.#items.length - removedCount <= maxItems) break;
      this.#chars -= getSearchText(item).length;
      removedCount += 1;
    }
    this.#items = this.#items.slice(removedCount);
    this.#first += removedCount;
  }
}

/** `used` is the usage of the current turn. */
function toContent(line: AgentLine, used: TurnUsage): readonly TranscriptContent[] {
  switch (line.type) {
    case 'started':
      return [toNote(`Session ${toPlainText(line.session)}`)];
    case 'text':
      return splitIntoRows(toPlainText(line.text).trimEnd()).map((text, index) => ({
        kind: 'said',
        text,
        goesOn: index > 0,
      }));
    case 'tool_started':
      return [
        {
          kind: 'tool',
          tool: toPlainText(line.tool),
          detail: toPlainText(line.detail ?? '').trim(),
          outcome: 'running',
          result: '',
        },
      ];
    case 'question':
      return [{ kind: 'question', text: toPlainText(line.text) }];
    case 'rate_limited': {
      const until = line.reset_at === undefined ? '' : ` until ${formatMoment(line.reset_at)}`;
      return [{ kind: 'note', text: `The provider is rejecting requests${until}`, isWarning: true }];
    }
    case 'login_refused':
      return [
        { kind: 'note', text: `The login was rejected: ${toPlainText(line.message)}`, isWarning: true },
      ];
    case 'heard':
      return [toNote(`Received message ${Number(line.letter) || toPlainText(line.letter)}`)];
    case 'turn_ended':
      return [{ kind: 'turn', isCutShort: line.interrupted === true, used }];
    case 'error':
      return [{ kind: 'error', code: toPlainText(line.code), text: toPlainText(line.message) }];
    case 'tool_ended':
    case 'usage':
      return []; // these lines update existing items
  }
}

function toNote(text: string): TranscriptContent {
  return { kind: 'note', text, isWarning: false };
}

const ROW_LINES = 60;
const ROW_CHARS = 6_000;

/**
 * Splits a long text into rows, because a row that is much taller than the window would still be
 * rendered completely. Pure.
 */
function splitIntoRows(text: string): readonly string[] {
  if (text.length <= ROW_CHARS && text.split('\n', ROW_LINES + 1).length <= ROW_LINES) return [text];
  const rows: string[] = [];
  let row: string[] = [];
  let chars = 0;
  for (const line of text.split('\n').flatMap(splitLine)) {
    if (row.length >= ROW_LINES || (row.length > 0 && chars + line.length > ROW_CHARS)) {
      rows.push(row.join('\n'));
      row = [];
      chars = 0;
    }
    row.push(line);
    chars += line.length + 1;
  }
  return [...rows, row.join('\n')];
}

function splitLine(line: string): readonly string[] {
  const count = Math.max(1, Math.ceil(line.length / ROW_CHARS));
  return Array.from({ length: count }, (_, index) => line.slice(index * ROW_CHARS, (index + 1) * ROW_CHARS));
}

/** Makes items of what a worker writes, as it comes, and never holds more than a person could scroll through. */
import type { AgentLine } from '../../../../../src/protocol/agent-line.ts';
import { Lines } from '../../../../../src/protocol/line-splitter.ts';
import { moment } from '../../../clock/words.ts';
import { plain } from '../../../text/plain.ts';
import { agentLineIn } from './agent-line.ts';
import { type Content, type Item, type Used, wordsOf } from './item.ts';

/** Some thousand screens; with its strings and places about 30 MB of the browser's memory. */
export const CHARS_MOST = 6_000_000;
const ITEMS_MOST = 40_000;
/** So much is left out at once, for to shift the whole list at every line would cost more than all else. */
const LEFT_OUT_SHARE = 0.1;
/** While somebody reads further up, nothing is taken away under their eyes until it is this many times too much. */
const HELD_TIMES = 2;

const NOTHING_USED: Used = { in: 0, out: 0, usd: 0 };

export class Transcript {
  #lines = new Lines();
  #items: Item[] = [];
  #first = 0;
  #chars = 0;
  /** Numbers of the tool calls in flight, because their end names them by id only. */
  #tools = new Map<string, number>();
  /** In the present turn: told once at its end, for a line after each answer would hide the work. */
  #used = NOTHING_USED;

  get items(): readonly Item[] {
    return this.#items;
  }

  /** How many items were left out at the beginning. */
  get leftOut(): number {
    return this.#first;
  }

  take(text: string, isHeld: boolean): void {
    for (const line of this.#lines.take(text)) this.#takeLine(line);
    this.#forget(isHeld ? HELD_TIMES : 1);
  }

  #takeLine(line: string | undefined): void {
    if (line?.trim() === '') return;
    const parsed = line === undefined ? undefined : agentLineIn(line);
    if (line === undefined) this.#add({ kind: 'note', text: '(a line too long to show)', isWarning: false });
    else if (parsed === undefined) this.#addRaw(plain(line));
    else this.#takeAgentLine(parsed);
  }

  #takeAgentLine(line: AgentLine): void {
    if (line.type === 'tool_started') this.#tools.set(line.id, this.#first + this.#items.length);
    if (line.type === 'tool_ended') this.#settle(line);
    if (line.type === 'usage') {
      const { in: taken, out, usd } = this.#used;
      this.#used = { in: taken + line.in, out: out + line.out, usd: usd + (line.usd ?? 0) };
    }
    for (const content of contentOf(line, this.#used)) this.#add(content);
    if (line.type === 'turn_ended') this.#used = NOTHING_USED;
  }

  /** Lines after each other share rows: a row for each of a million would make every step slow. */
  #addRaw(text: string): void {
    const last = this.#items.at(-1);
    if (last?.kind !== 'raw' || last.lines >= ROW_LINES || last.text.length + text.length > ROW_CHARS) {
      for (const piece of rowsOf(text)) this.#add({ kind: 'raw', text: piece, lines: 1 });
      return;
    }
    this.#chars += text.length + 1;
    this.#items[this.#items.length - 1] = { ...last, text: `${last.text}\n${text}`, lines: last.lines + 1 };
  }

  #add(content: Content): void {
    this.#items.push({ ...content, number: this.#first + this.#items.length });
    this.#chars += wordsOf(content).length;
  }

  #settle({ id, failed, result = '' }: Extract<AgentLine, { type: 'tool_ended' }>): void {
    const place = (this.#tools.get(id) ?? -1) - this.#first;
    this.#tools.delete(id);
    const item = this.#items[place];
    if (item?.kind !== 'tool') return;
    const text = plain(result).trimEnd();
    this.#items[place] = { ...item, outcome: failed ? 'failed' : 'done', result: text };
    this.#chars += text.length;
  }

  #forget(times: number): void {
    if (this.#chars <= CHARS_MOST * times && this.#items.length <= ITEMS_MOST * times) return;
    const fewer = ITEMS_MOST * (1 - LEFT_OUT_SHARE);
    const less = CHARS_MOST * (1 - LEFT_OUT_SHARE);
    let gone = 0;
    for (const item of this.#items) {
      if (this.#chars <= less && this.#items.length - gone <= fewer) break;
      this.#chars -= wordsOf(item).length;
      gone += 1;
    }
    this.#items = this.#items.slice(gone);
    this.#first += gone;
  }
}

/** `used` is what the present turn has used. */
function contentOf(line: AgentLine, used: Used): readonly Content[] {
  switch (line.type) {
    case 'started':
      return [note(`Session ${plain(line.session)}`)];
    case 'text':
      return rowsOf(plain(line.text).trimEnd()).map((text, index) => ({
        kind: 'said',
        text,
        goesOn: index > 0,
      }));
    case 'tool_started':
      return [
        {
          ...{ kind: 'tool', tool: plain(line.tool), detail: plain(line.detail ?? '').trim() },
          ...{ outcome: 'running', result: '' },
        },
      ];
    case 'question':
      return [{ kind: 'question', text: plain(line.text) }];
    case 'rate_limited': {
      const until = line.reset_at === undefined ? '' : ` until ${moment(line.reset_at)}`;
      return [{ kind: 'note', text: `The provider refuses it${until}`, isWarning: true }];
    }
    case 'login_refused':
      return [{ kind: 'note', text: `The login is refused: ${plain(line.message)}`, isWarning: true }];
    case 'heard':
      return [note(`Hears message ${Number(line.letter) || plain(line.letter)}`)];
    case 'turn_ended':
      return [{ kind: 'turn', isCutShort: line.interrupted === true, used }];
    case 'error':
      return [{ kind: 'error', code: plain(line.code), text: plain(line.message) }];
    case 'tool_ended':
    case 'usage':
      return []; // they change what is there
  }
}

function note(text: string): Content {
  return { kind: 'note', text, isWarning: false };
}

const ROW_LINES = 60;
const ROW_CHARS = 6_000;

/** Cuts a long text into rows: one that is much higher than the window would have to be drawn whole. Pure. */
function rowsOf(text: string): readonly string[] {
  if (text.length <= ROW_CHARS && text.split('\n', ROW_LINES + 1).length <= ROW_LINES) return [text];
  const rows: string[] = [];
  let row: string[] = [];
  let chars = 0;
  for (const line of text.split('\n').flatMap(shortLines)) {
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

function shortLines(line: string): readonly string[] {
  const count = Math.max(1, Math.ceil(line.length / ROW_CHARS));
  return Array.from({ length: count }, (_, index) => line.slice(index * ROW_CHARS, (index + 1) * ROW_CHARS));
}

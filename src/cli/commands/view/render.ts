/** The lines of a worker as a person reads them: what it says, what it does, what it waits for. */
import { parseJson } from '../../../lib/json.ts';
import { type AgentLine, parseAgentLine } from '../../../protocol/agent-line.ts';
import { messageOfLetter } from '../../../protocol/letter.ts';
import { type Line, plain, styled } from '../../present/line.ts';
import { clock } from '../../present/time.ts';

/** Longer ones are cut: a whole file in one line of a tool would push everything else off the screen. */
const DETAIL_MOST_CHARS = 200;
/** Of what a failed tool gave back; what went well needs no more than its name. */
const RESULT_MOST_LINES = 5;
const TAB = '    ';

/** Of the present turn. */
interface Memory {
  /** In flight, because their end names them by number only. */
  readonly tools: Map<string, string>;
  /** Told once at the end of the turn: a line for each answer of the model would hide the work. */
  used: { in: number; out: number; usd: number };
}

export function rendering(): (line: string | undefined) => readonly Line[] {
  const memory: Memory = { tools: new Map(), used: { in: 0, out: 0, usd: 0 } };
  return (line) => {
    if (line === undefined) return [[styled('dim', '(a line too long to show)')]];
    if (line.trim() === '') return [];
    const parsed = parseAgentLine(parseJson(line));
    return parsed === undefined ? [[styled('dim', cut(line))]] : linesOf(parsed, memory);
  };
}

function linesOf(line: AgentLine, memory: Memory): readonly Line[] {
  const { tools, used } = memory;
  switch (line.type) {
    case 'started':
      return [[styled('dim', `session ${line.session}`)]];
    case 'text':
      return textLines(line.text).map((text) => [plain(text)]);
    case 'tool_started':
      tools.set(line.id, line.tool);
      return [[styled('cyan', `▸ ${line.tool}`), styled('dim', detail(line.detail))]];
    case 'tool_ended': {
      const tool = tools.get(line.id) ?? line.id;
      tools.delete(line.id);
      if (!line.failed) return [[styled('dim', `✓ ${tool}`)]];
      return [[styled('red', `✗ ${tool} failed`)], ...lastLines(line.result ?? '')];
    }
    case 'usage':
      memory.used = { in: used.in + line.in, out: used.out + line.out, usd: used.usd + (line.usd ?? 0) };
      return [];
    case 'question':
      return textLines(line.text).map((text) => [styled('yellow', `? ${text}`)]);
    case 'rate_limited': {
      const until = line.reset_at === undefined ? '' : ` until ${clock(line.reset_at)}`;
      return [[styled('yellow', `‖ the provider refuses it${until}`)]];
    }
    case 'login_refused':
      return [[styled('red', `✗ the login is refused: ${line.message}`)]];
    case 'heard':
      return [[styled('cyan', `✉ hears message ${messageOfLetter(line.letter) || line.letter}`)]];
    case 'turn_ended':
      memory.used = { in: 0, out: 0, usd: 0 };
      return [
        [styled('dim', `── turn ${line.interrupted === true ? 'cut short' : 'ended'}${usedText(used)}`)],
      ];
    case 'error':
      return [[styled('red', `✗ ${line.message}`), styled('dim', ` [${line.code}]`)]];
  }
}

function textLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', TAB));
}

/** Why something failed stands at its end. */
function lastLines(result: string): readonly Line[] {
  const lines = textLines(result).filter((text) => text.trim() !== '');
  return lines.slice(-RESULT_MOST_LINES).map((text) => [styled('dim', `  ${cut(text)}`)]);
}

function usedText({ in: taken, out, usd }: Memory['used']): string {
  if (taken === 0 && out === 0) return '';
  const cost = usd === 0 ? '' : `, $${usd.toFixed(usd < 1 ? 4 : 2)}`;
  return `, ${taken.toLocaleString('en')} tokens in, ${out.toLocaleString('en')} out${cost}`;
}

function detail(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `  ${cut(text)}`;
}

function cut(text: string): string {
  return text.length <= DETAIL_MOST_CHARS ? text : `${text.slice(0, DETAIL_MOST_CHARS)}…`;
}

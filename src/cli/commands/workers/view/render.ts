/** Renders a worker's output for people, and parses the lines they type. */

import { parseJson } from '../../../../lib/json.ts';
import { type AgentLine, parseAgentLine } from '../../../../protocol/agent-line.ts';
import { toMessageNumber } from '../../../../protocol/worker-message.ts';
import { type ScreenLine, toSegment, toStyledSegment } from '../../../present/table.ts';
import { formatLocalTime } from '../../../present/words.ts';

/**
 * Longer text is truncated: a whole file in a tool call would push everything else off the screen.
 */
const MAX_DETAIL_CHARS = 200;
/**
 * Number of lines to show of a failed tool's result. For a successful tool, only its name is shown.
 */
const MAX_RESULT_LINES = 5;
const TAB = '    ';

/** State of the current turn. */
interface TurnState {
  /** Running tools by id, because the event that ends a tool call contains only the id. */
  readonly tools: Map<string, string>;
  /**
   * Usage of the turn. Shown once, at the end of the turn, because a line per model response would
   * hide the work.
   */
  used: { in: number; out: number; usd: number };
}

export function createAgentLineRenderer(): (line: string | undefined) => readonly ScreenLine[] {
  const turn: TurnState = { tools: new Map(), used: { in: 0, out: 0, usd: 0 } };
  return (line) => {
    if (line === undefined) return [[toStyledSegment('dim', '(a line too long to show)')]];
    if (line.trim() === '') return [];
    const parsed = parseAgentLine(parseJson(line));
    return parsed === undefined
      ? [[toStyledSegment('dim', truncateDetail(line))]]
      : renderAgentLine(parsed, turn);
  };
}

function renderAgentLine(line: AgentLine, turn: TurnState): readonly ScreenLine[] {
  const { tools, used } = turn;
  switch (line.type) {
    case 'started':
      return [[toStyledSegment('dim', `session ${line.session}`)]];
    case 'text':
      return splitLines(line.text).map((text) => [toSegment(text)]);
    case 'tool_started':
      tools.set(line.id, line.tool);
      return [[toStyledSegment('cyan', `▸ ${line.tool}`), toStyledSegment('dim', formatDetail(line.detail))]];
    case 'tool_ended': {
      const tool = tools.get(line.id) ?? line.id;
      tools.delete(line.id);
      if (!line.failed) return [[toStyledSegment('dim', `✓ ${tool}`)]];
      return [[toStyledSegment('red', `✗ ${tool} failed`)], ...renderLastLines(line.result ?? '')];
    }
    case 'usage':
      turn.used = { in: used.in + line.in, out: used.out + line.out, usd: used.usd + (line.usd ?? 0) };
      return [];
    case 'question':
      return splitLines(line.text).map((text) => [toStyledSegment('yellow', `? ${text}`)]);
    case 'rate_limited': {
      const until = line.reset_at === undefined ? '' : ` until ${formatLocalTime(line.reset_at)}`;
      return [[toStyledSegment('yellow', `‖ rate limited by the provider${until}`)]];
    }
    case 'login_refused':
      return [[toStyledSegment('red', `✗ the login was refused: ${line.message}`)]];
    case 'heard':
      return [[toStyledSegment('cyan', `✉ received message ${toMessageNumber(line.letter) || line.letter}`)]];
    case 'turn_ended':
      turn.used = { in: 0, out: 0, usd: 0 };
      return [
        [
          toStyledSegment(
            'dim',
            `── turn ${line.interrupted === true ? 'interrupted' : 'ended'}${formatUsage(used)}`,
          ),
        ],
      ];
    case 'error':
      return [[toStyledSegment('red', `✗ ${line.message}`), toStyledSegment('dim', ` [${line.code}]`)]];
  }
}

function splitLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', TAB));
}

/** Shows the end of the result, where the cause of a failure usually is. */
function renderLastLines(result: string): readonly ScreenLine[] {
  const lines = splitLines(result).filter((text) => text.trim() !== '');
  return lines.slice(-MAX_RESULT_LINES).map((text) => [toStyledSegment('dim', `  ${truncateDetail(text)}`)]);
}

function formatUsage({ in: tokensIn, out, usd }: TurnState['used']): string {
  if (tokensIn === 0 && out === 0) return '';
  const cost = usd === 0 ? '' : `, $${usd.toFixed(usd < 1 ? 4 : 2)}`;
  return `, ${tokensIn.toLocaleString('en')} tokens in, ${out.toLocaleString('en')} out${cost}`;
}

function formatDetail(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `  ${truncateDetail(text)}`;
}

function truncateDetail(text: string): string {
  return text.length <= MAX_DETAIL_CHARS ? text : `${text.slice(0, MAX_DETAIL_CHARS)}…`;
}

export type TypedInput =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'wordless' }
  | { readonly kind: 'say'; readonly text: string; readonly interrupt: boolean };

/**
 * Parses a line typed into a view. A leading `!` interrupts the worker's current turn; `/quit`
 * leaves the view.
 */
export function parseTypedInput(typed: string): TypedInput {
  const line = typed.trim();
  if (line === '') return { kind: 'nothing' };
  if (line === '/quit') return { kind: 'quit' };
  const interrupt = line.startsWith('!');
  const text = interrupt ? line.slice(1).trim() : line;
  return text === '' ? { kind: 'wordless' } : { kind: 'say', text, interrupt };
}

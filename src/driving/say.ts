/** Writes what happens as lines of bounded length: a transcript may be endless, what is kept of it for people and judges is not. */
import type { Writable } from 'node:stream';
import type { AgentLine } from '../protocol/agent-line.ts';

/** Characters of one text; the whole is in the agent's own transcript. */
const TEXT_MOST = 16_384;
/** Of a tool's detail: a glance. */
const DETAIL_MOST = 300;
/** Of what a tool gave back: about a screen from its beginning, and one from its end, where a failure tells why. */
const RESULT_MOST = 4_096;
const MESSAGE_MOST = 4_096;

export type Say = (line: AgentLine) => void;

export function sayingTo(stdout: Writable): Say {
  return (line) => {
    stdout.write(`${JSON.stringify(shortened(line))}\n`);
  };
}

function shortened(line: AgentLine): AgentLine {
  switch (line.type) {
    case 'text':
    case 'question':
      return { ...line, text: cut(line.text, TEXT_MOST) };
    case 'tool_started':
      return line.detail === undefined ? line : { ...line, detail: cut(line.detail, DETAIL_MOST) };
    case 'tool_ended':
      return line.result === undefined ? line : { ...line, result: cutWithin(line.result, RESULT_MOST) };
    case 'error':
    case 'login_refused':
      return { ...line, message: cut(line.message, MESSAGE_MOST) };
    default:
      return line;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

/** Lines stay whole where there are lines. */
function cutWithin(text: string, most: number): string {
  if (text.length <= most) return text;
  const [head, tail] = [text.slice(0, most / 2), text.slice(-most / 2)];
  const [lineEnd, lineBegin] = [head.lastIndexOf('\n'), tail.indexOf('\n')];
  const first = lineEnd === -1 ? head : head.slice(0, lineEnd);
  const last = lineBegin === -1 ? tail : tail.slice(lineBegin + 1);
  return `${first}\n… (${text.length - first.length - last.length} characters)\n${last}`;
}

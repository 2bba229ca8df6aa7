/** Writes what happens as lines of bounded length: a transcript may be endless, what is kept of it for people and judges is not. */
import type { Writable } from 'node:stream';
import type { AgentLine } from '../protocol/agent-line.ts';

/** Characters of one text; the whole is in the agent's own transcript. */
const TEXT_MOST = 16_384;
/** Of a tool's detail: a glance. */
const DETAIL_MOST = 300;
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
    case 'error':
      return { ...line, message: cut(line.message, MESSAGE_MOST) };
    default:
      return line;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

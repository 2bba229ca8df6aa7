/** What a line of an agent says to a person. Pure. */
import type { AgentLine } from '../../../../../src/protocol/agent-line.ts';
import { moment } from '../../../clock/words.ts';
import { plain } from '../../../text/plain.ts';
import type { Content, Used } from './item.ts';
import { rowsOf } from './rows-of.ts';

/** `used` is what the present turn has used. */
export function contentOf(line: AgentLine, used: Used): readonly Content[] {
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

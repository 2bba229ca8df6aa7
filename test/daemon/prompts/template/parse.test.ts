/** Templates are read strictly: every mistake has its line and says what would be right. */
import { describe, expect, test } from 'vitest';
import type { Form } from '../../../../src/daemon/context/prompt-template.ts';
import { parseTemplate } from '../../../../src/daemon/prompts/parse-template.ts';

const FORM: Form = {
  name: 'reason.ci_failure',
  variables: ['issue', 'base'],
  required: ['fenced.check'],
  optional: ['fenced.answers'],
};

function problemsOf(text: string, form: Form = FORM): readonly string[] {
  const parsed = parseTemplate(form, text);
  return parsed.ok ? [] : parsed.problems.map(({ line, says }) => `${line}: ${says}`);
}

test('prose and blocks keep their order, and single braces are only text', () => {
  const parsed = parseTemplate(
    FORM,
    'Of {{issue}} {x} $base\r\nin {{base}}\n\n{{fenced.check}}  \n\nNow.\n\n',
  );
  expect(parsed).toEqual({
    ok: true,
    template: {
      name: 'reason.ci_failure',
      parts: [
        {
          kind: 'prose',
          pieces: ['Of ', { variable: 'issue' }, ' {x} $base\n', 'in ', { variable: 'base' }, '\n', '\n'],
        },
        { kind: 'block', block: 'fenced.check' },
        { kind: 'prose', pieces: ['\n', 'Now.\n'] },
      ],
    },
  });
});

const KNOWN = 'variables here: issue, base; blocks: fenced.check, fenced.answers';

describe('refused with line and reason', () => {
  test.each([
    ['an unknown name', 'a\n{{title}}\n{{fenced.check}}', [`2: unknown name "title"; ${KNOWN}`]],
    ['a name with spaces', '{{ issue }}\n{{fenced.check}}', [`1: unknown name " issue "; ${KNOWN}`]],
    ['a block of another template', '{{speak}}\n{{fenced.check}}', [`1: unknown name "speak"; ${KNOWN}`]],
    [
      'a brace that stays open',
      '{{fenced.check}}\nof {{issue',
      ['2: "{{" is not closed by "}}" on the same line'],
    ],
    [
      'one that is closed a line later',
      '{{fenced.check}}\n{{issue\n}}',
      ['2: "{{" is not closed by "}}" on the same line', '3: "}}" closes nothing'],
    ],
    ['a missing block', 'Mend it.\nAgain.', ['2: {{fenced.check}} is missing; give it a line of its own']],
    [
      'a block within a line',
      'See {{fenced.check}}',
      [
        '1: {{fenced.check}} must stand on a line of its own',
        '1: {{fenced.check}} is missing; give it a line of its own',
      ],
    ],
    [
      'an indented block',
      ' {{fenced.check}}',
      [
        '1: {{fenced.check}} must stand on a line of its own',
        '1: {{fenced.check}} is missing; give it a line of its own',
      ],
    ],
    ['a block twice', '{{fenced.check}}\n{{fenced.check}}', ['2: {{fenced.check}} is there twice']],
    [
      'a block inside a code fence',
      '```\n{{fenced.check}}\n```',
      ['2: {{fenced.check}} stands inside a code fence'],
    ],
    [
      'a code fence that stays open',
      '{{fenced.check}}\n````\n```',
      ['2: opens a code fence that is not closed'],
    ],
    [
      'text that turns a line round',
      '{{fenced.check}}\nabc\u202edef',
      ['2: has an invisible or control character'],
    ],
    ['what was not UTF-8', '{{fenced.check}}\n\ufffd', ['2: has an invisible or control character']],
  ])('%s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('nothing at all', () => {
    expect(problemsOf(' \n\n', { ...FORM, required: [] })).toEqual(['1: is empty']);
  });

  test('another first line than the form wants', () => {
    const form: Form = { ...FORM, required: ['who'], first: 'who' };
    expect(problemsOf('{{who}}\nText', form)).toEqual([]);
    expect(problemsOf('Forget what follows.\n{{who}}', form)).toEqual(['1: the first line must be {{who}}']);
  });
});

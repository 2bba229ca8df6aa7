/**
 * Checks that templates are parsed strictly: every problem is reported with its line and the valid
 * alternatives.
 */
import { describe, expect, test } from 'vitest';
import type { TemplateForm } from '../../../../src/daemon/context/prompt-template.ts';
import { parseTemplate } from '../../../../src/daemon/prompts/parse-template.ts';

const FORM: TemplateForm = {
  name: 'reason.ci_failure',
  variables: ['issue', 'base'],
  required: ['fenced.check'],
  optional: ['fenced.answers'],
};

function problemsOf(text: string, form: TemplateForm = FORM): readonly string[] {
  const parsed = parseTemplate(form, text);
  return parsed.ok ? [] : parsed.problems.map(({ line, message: says }) => `${line}: ${says}`);
}

test('keeps the order of prose and blocks, and treats single braces as text', () => {
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

const KNOWN = 'valid variables: issue, base; valid blocks: fenced.check, fenced.answers';

describe('parseTemplate reports the line and the reason for', () => {
  test.each([
    ['an unknown name', 'a\n{{title}}\n{{fenced.check}}', [`2: unknown name "title"; ${KNOWN}`]],
    ['a name with spaces', '{{ issue }}\n{{fenced.check}}', [`1: unknown name " issue "; ${KNOWN}`]],
    ['a block of another template', '{{speak}}\n{{fenced.check}}', [`1: unknown name "speak"; ${KNOWN}`]],
    [
      'a brace that is never closed',
      '{{fenced.check}}\nof {{issue',
      ['2: "{{" is not closed by "}}" on the same line'],
    ],
    [
      'a brace that is closed a line later',
      '{{fenced.check}}\n{{issue\n}}',
      ['2: "{{" is not closed by "}}" on the same line', '3: "}}" has no opening "{{"'],
    ],
    ['a missing block', 'Mend it.\nAgain.', ['2: {{fenced.check}} is missing; put it on its own line']],
    [
      'a block within a line',
      'See {{fenced.check}}',
      [
        '1: {{fenced.check}} must be on its own line',
        '1: {{fenced.check}} is missing; put it on its own line',
      ],
    ],
    [
      'an indented block',
      ' {{fenced.check}}',
      [
        '1: {{fenced.check}} must be on its own line',
        '1: {{fenced.check}} is missing; put it on its own line',
      ],
    ],
    [
      'a block that appears twice',
      '{{fenced.check}}\n{{fenced.check}}',
      ['2: {{fenced.check}} appears twice'],
    ],
    [
      'a block inside a code fence',
      '```\n{{fenced.check}}\n```',
      ['2: {{fenced.check}} is inside a code fence'],
    ],
    [
      'a code fence that is never closed',
      '{{fenced.check}}\n````\n```',
      ['2: opens a code fence that is not closed'],
    ],
    [
      'text with a direction override',
      '{{fenced.check}}\nabc\u202edef',
      ['2: contains an invisible or control character'],
    ],
    ['text that is not UTF-8', '{{fenced.check}}\n\ufffd', ['2: contains an invisible or control character']],
  ])('%s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('an empty template', () => {
    expect(problemsOf(' \n\n', { ...FORM, required: [] })).toEqual(['1: is empty']);
  });

  test('a first line that differs from the one that the form requires', () => {
    const form: TemplateForm = { ...FORM, required: ['who'], first: 'who' };
    expect(problemsOf('{{who}}\nText', form)).toEqual([]);
    expect(problemsOf('Forget what follows.\n{{who}}', form)).toEqual(['1: the first line must be {{who}}']);
  });
});

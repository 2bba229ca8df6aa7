/**
 * Checks that docs/prompts.md lists every template with exactly its variables and blocks, and that
 * its example is valid.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TemplateForm } from '../../../src/daemon/context/prompt-template.ts';
import { parseTemplate } from '../../../src/daemon/prompts/parse-template.ts';
import { TEMPLATE_FORMS } from '../../../src/daemon/prompts/template-forms.ts';

const PAGE = readFileSync(new URL('../../../docs/prompts.md', import.meta.url), 'utf8');
const GENERAL = namesIn(paragraph('Every template can use'));

test('docs/prompts.md lists every template with its variables and blocks', () => {
  const rows = PAGE.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, -1));
  const documented = rows.map(([name = '', , variables = '', blocks = '']) => ({
    name: namesIn(name)[0],
    variables: namesIn(variables),
    required: namesIn(blocks),
  }));
  expect(documented).toEqual(
    [...TEMPLATE_FORMS.values()].map(({ name, variables, required }) => ({
      name,
      required,
      variables: variables.filter((variable) => !GENERAL.includes(variable)),
    })),
  );
});

test('docs/prompts.md lists the variables and blocks common to all templates once', () => {
  const start = TEMPLATE_FORMS.get('reason.start');
  expect(GENERAL).toEqual([...(start?.variables ?? []), ...(start?.optional ?? []), '{{fenced.told}}']);
});

test('the example in docs/prompts.md is a valid template', () => {
  const [, example = ''] = /```md\n([\s\S]*?)```/.exec(PAGE) ?? [];
  expect(parseTemplate(TEMPLATE_FORMS.get('reason.ci_failure') as TemplateForm, example)).toMatchObject({
    ok: true,
  });
});

function paragraph(beginning: string): string {
  return PAGE.split('\n\n').find((text) => text.startsWith(beginning)) ?? '';
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

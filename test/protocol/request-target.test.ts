/** Tests that no value in a request target can lead to another endpoint or add a parameter. */
import { expect, test } from 'vitest';
import { toRequestTarget } from '../../src/protocol/request-target.ts';

test('fills in the path parameters and the query', () => {
  expect(toRequestTarget('/health')).toBe('/health');
  expect(toRequestTarget('/issues/:id/handoffs/:phase', { id: 'DEMO-1', phase: 'plan' })).toBe(
    '/issues/DEMO-1/handoffs/plan',
  );
  expect(toRequestTarget('/workers/:id', { id: 'demo-1-plan' }, { by: 'ada', restart: 'true' })).toBe(
    '/workers/demo-1-plan?by=ada&restart=true',
  );
});

test('omits undefined query values', () => {
  expect(toRequestTarget('/board', {}, { at: undefined, version: '7' })).toBe('/board?version=7');
  expect(toRequestTarget('/board', {}, { at: undefined })).toBe('/board');
});

test('encodes every value', () => {
  expect(toRequestTarget('/issues/:id', { id: '../shutdown?x=1#' })).toBe('/issues/..%2Fshutdown%3Fx%3D1%23');
  expect(toRequestTarget('/workers/:id', { id: 'a' }, { by: 'ada&restart=true' })).toBe(
    '/workers/a?by=ada%26restart%3Dtrue',
  );
});

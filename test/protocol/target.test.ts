/** Targets of requests: no value can lead to another endpoint or add a parameter. */
import { expect, test } from 'vitest';
import { toTarget } from '../../src/protocol/request-target.ts';

test('fills parameters and the query in', () => {
  expect(toTarget('/health')).toBe('/health');
  expect(toTarget('/issues/:id/handoffs/:phase', { id: 'DEMO-1', phase: 'plan' })).toBe(
    '/issues/DEMO-1/handoffs/plan',
  );
  expect(toTarget('/workers/:id', { id: 'demo-1-plan' }, { by: 'ada', restart: 'true' })).toBe(
    '/workers/demo-1-plan?by=ada&restart=true',
  );
});

test('leaves out what is undefined in the query', () => {
  expect(toTarget('/board', {}, { at: undefined, version: '7' })).toBe('/board?version=7');
  expect(toTarget('/board', {}, { at: undefined })).toBe('/board');
});

test('encodes every value', () => {
  expect(toTarget('/issues/:id', { id: '../shutdown?x=1#' })).toBe('/issues/..%2Fshutdown%3Fx%3D1%23');
  expect(toTarget('/workers/:id', { id: 'a' }, { by: 'ada&restart=true' })).toBe(
    '/workers/a?by=ada%26restart%3Dtrue',
  );
});

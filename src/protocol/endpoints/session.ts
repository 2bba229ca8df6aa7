/** How a browser logs in, what it needs to know of the legion it shows, and how it logs out. */
import { codeAnswer, enterAnswer, enterRequest, sessionSchema } from '../dashboard.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { saidAnswer } from '../operator.ts';

/** Enough for a code of 22 letters: whoever sends it has not proved anything yet. */
const MAX_LOGIN_BYTES = 1_024;

export const sessionEndpoints = {
  createCode: {
    method: 'POST',
    path: '/session/codes',
    summary: 'a code that opens the dashboard once, within a minute; for the token only',
    callers: ['token'],
    status: 201,
    response: codeAnswer,
  },
  enter: {
    method: 'POST',
    path: '/session',
    summary: 'log a browser in with a code, which is the proof, in place of a token',
    callers: ['visitor'],
    body: enterRequest,
    maxBodyBytes: MAX_LOGIN_BYTES,
    status: 201,
    response: enterAnswer,
  },
  show: {
    method: 'GET',
    path: '/session',
    summary: 'what a page needs to know of the legion it shows',
    response: sessionSchema,
  },
  leave: {
    method: 'DELETE',
    path: '/session',
    summary: 'log this browser out; with the token, every browser',
    response: saidAnswer,
  },
} as const satisfies EndpointGroup;

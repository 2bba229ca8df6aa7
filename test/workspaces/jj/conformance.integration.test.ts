/** Runs the workspace conformance suite on jj workspaces, with the real jj. */
import { beforeEach } from 'vitest';
import { workspacesConformance } from '../../ports/workspace/conformance.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { jjHarness } from './jj-setup.ts';

beforeEach((context) => skipWithoutProgram(context, 'jj'));

workspacesConformance('jj', jjHarness);

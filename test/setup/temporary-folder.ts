/**
 * Sets the run's directory as the temporary directory, including for processes that tests start.
 */
import { inject } from 'vitest';

Object.assign(process.env, { TMPDIR: inject('scratch') });

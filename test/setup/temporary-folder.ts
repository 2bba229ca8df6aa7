/** Makes the run's folder the temporary one, also of the processes that tests start. */
import { inject } from 'vitest';

Object.assign(process.env, { TMPDIR: inject('scratch') });

/** Hides the workers' memory setting (see vitest.config.ts) from the processes that tests start. */
Reflect.deleteProperty(process.env, 'GLIBC_TUNABLES');

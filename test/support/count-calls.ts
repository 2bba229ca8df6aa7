/**
 * Counts calls to one of Legion's functions through V8's code coverage, so that nothing has to be
 * mocked.
 */
import { Session } from 'node:inspector/promises';

export async function countCalls(file: string, name: string, run: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const script = result.find(({ url }) => url.endsWith(file));
    return script?.functions.find(({ functionName }) => functionName === name)?.ranges[0]?.count ?? 0;
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const script = "const { ensureConsole } = await import('./scripts/console.mjs'); await ensureConsole(process.execPath)"

/** Builds the console like `npm start`, if its sources have changed, for benchmarks and for a run that `npm test` did not start. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
}

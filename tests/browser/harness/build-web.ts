import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const script = "const { ensureWeb } = await import('./scripts/web.mjs'); await ensureWeb(process.execPath)"

/** Builds the console and the docs site like `npm start`, if their sources have changed, for benchmarks and for a run that `npm test` did not start. */
export async function buildWeb(): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
}

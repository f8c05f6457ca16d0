import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const script = "const { ensureConsole } = await import('./scripts/console.mjs'); await ensureConsole(process.execPath)"

/** As `npm start` and `npm test` do it, in a process of its own: several test files may ask at the same time. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
}

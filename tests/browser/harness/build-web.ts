import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const script =
  "const { ensureWeb } = await import('./scripts/web.mjs'); await ensureWeb(process.execPath, process.argv.slice(1))"

/** Builds the console and the docs site like `npm start`, if their sources have changed. */
export async function buildWeb(parts = ['console', 'site']): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, ...parts], { cwd: root })
}

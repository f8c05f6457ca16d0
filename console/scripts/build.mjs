import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

/**
 * Builds the console into the folder named on the command line: pages and chunks by Vite, then a compressed copy of
 * each beside it, so that the service compresses nothing while it serves.
 */
const [outDir] = process.argv.slice(2)
if (!outDir) {
  console.error('Usage: node console/scripts/build.mjs FOLDER')
  process.exit(2)
}

await build({
  configFile: join(import.meta.dirname, '..', 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
})
await Promise.all(filesBelow(outDir).filter(isWorthwhile).map(compress))

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The page itself gets a nonce each time it is served, so it is never compressed ahead. */
function isWorthwhile(file) {
  return /\.(js|css|svg)$/.test(file) && readFileSync(file).length > 1024
}

async function compress(file) {
  const bytes = readFileSync(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
